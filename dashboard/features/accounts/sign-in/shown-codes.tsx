import { language } from '@porchlight/contract/language.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useRef } from 'react';
import { useNow } from '../../../lib/use-now.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { messages } from './messages.ts';

export interface NewCodes {
  codes: string[];
  /** What was done, of which these codes are a part. */
  done: string;
}

/** On paper, so not as a day that is near. */
const longDate = new Intl.DateTimeFormat(language, { dateStyle: 'long' });

/** The only time that recovery codes are shown. It prints as one sheet. */
export function ShownCodes({ newCodes: { codes, done }, onSaved }: { newCodes: NewCodes; onSaved: () => void }) {
  const words = messages.codes.shown;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="card stack recovery-codes" aria-labelledby="shown-codes">
      <p className="note good no-print" role="status">
        {done}
      </p>
      <h2 id="shown-codes" ref={heading} tabIndex={-1} className="no-print">
        {words.heading}
      </h2>
      <p className="no-print">{words.lead}</p>
      <h2 className="print-only">{words.made(longDate.format(useNow()))}</h2>
      <ul aria-label={words.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>{words.use}</p>
      <p className="note look">{words.never}</p>
      <div className="row no-print">
        <button type="button" className="btn" onClick={() => window.print()}>
          {words.print}
        </button>
        <CopyButton text={codes.join('\n')} label={words.copy} done={words.copied} ms={limits.copied_on_share} />
        <button type="button" className="btn quiet" onClick={onSaved}>
          {words.saved}
        </button>
      </div>
    </section>
  );
}
