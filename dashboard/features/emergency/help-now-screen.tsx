import { brand } from '@porchlight/contract/brand.ts';
import { fourthLines, helpLines } from '../../lib/help-messages.ts';
import { HelpLines } from '../../ui/help-lines.tsx';
import { messages } from './holder-messages.ts';

const words = messages.page;

/** What to do in a scam, for everybody (P9.5); the footer of every page leads here (2.22). */
export function HelpNowScreen() {
  return (
    <div className="wrap read stack-l">
      <div>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
      </div>
      <HelpLines lines={helpLines(fourthLines.stranger)} />
      <section className="card stack" aria-labelledby="report">
        <h2 id="report">{words.report.heading}</h2>
        <p>{words.report.lead}</p>
        <a className="btn quiet" href={brand.scam_help_url}>
          {words.report.link}
        </a>
      </section>
    </div>
  );
}
