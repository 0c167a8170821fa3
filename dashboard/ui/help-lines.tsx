import type { HelpLine } from '../lib/help-messages.ts';
import './help-lines.css';

export function HelpLines({ lines }: { lines: HelpLine[] }) {
  return (
    <ol className="help-lines">
      {lines.map(({ lead, text }, i) => (
        // The fourth line changes its words, and must not be another element for a screen reader.
        <li key={i}>
          <strong>{lead}</strong>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
