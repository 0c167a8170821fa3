import { brand } from '@porchlight/contract/brand.ts';
import type { ReactNode } from 'react';
import { atTime } from '../lib/dates.ts';
import type { SafeSentence } from '../lib/safe-sentence.ts';
import type { Freshness } from '../lib/use-freshness.ts';
import { Lamp } from './lamp.tsx';

/** Red only for danger, amber for what needs attention. */
const kinds = { danger: 'state alert', stopped: 'state quiet', look: 'state quiet', safe: 'state', empty: 'state' } as const;

const staleWords = (when: string) => `We cannot reach ${brand.name}. This is how it was ${when}.`;

interface StatePanelProps {
  safe: Pick<SafeSentence, 'mood' | 'lit' | 'sentence' | 'lines'>;
  freshness: Freshness;
  now: Date;
  label: string;
  level?: 1 | 2;
  lead?: string;
  /** The buttons, most important first; shown below the advice for the worst problem. */
  children?: ReactNode;
  /** Below all lines. */
  end?: ReactNode;
}

export function StatePanel({ safe, freshness, now, label, level = 2, lead, children, end }: StatePanelProps) {
  const [firstLine, ...otherLines] = safe.lines;
  const Sentence = level === 1 ? 'h1' : 'h2';
  return (
    <section className={kinds[safe.mood]} aria-live="polite" aria-label={label}>
      <Lamp lit={safe.lit} size={88} />
      <div>
        {lead && <p className="soft">{lead}</p>}
        <StaleNote freshness={freshness} now={now} />
        <Sentence>{safe.sentence}</Sentence>
        {firstLine && <p>{firstLine}</p>}
        {children}
        {otherLines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {end}
      </div>
    </section>
  );
}

function StaleNote({ freshness: { silent }, now }: { freshness: Freshness; now: Date }) {
  if (!silent) return null;
  return (
    <p>
      <strong>{staleWords(atTime(silent, now))}</strong>
    </p>
  );
}
