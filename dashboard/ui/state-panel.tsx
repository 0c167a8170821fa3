import type { ReactNode } from 'react';
import type { SafeSentence } from '../lib/safe-sentence.ts';
import type { Freshness } from '../lib/use-freshness.ts';
import { Lamp } from './lamp.tsx';
import { StaleNote } from './stale-note.tsx';

/** Red only for the worst, amber for what asks for an answer or a look. */
const kinds = { danger: 'state alert', stopped: 'state quiet', look: 'state quiet', safe: 'state', empty: 'state' } as const;

interface StatePanelProps {
  safe: Pick<SafeSentence, 'mood' | 'lit' | 'sentence' | 'lines'>;
  freshness: Freshness;
  now: Date;
  label: string;
  level?: 1 | 2;
  lead?: string;
  /** What can be pressed, the first thing first; below what to do about the worst, and above all else that is true. */
  children?: ReactNode;
}

export function StatePanel({ safe, freshness, now, label, level = 2, lead, children }: StatePanelProps) {
  const [first, ...others] = safe.lines;
  const Sentence = level === 1 ? 'h1' : 'h2';
  return (
    <section className={kinds[safe.mood]} aria-live="polite" aria-label={label}>
      <Lamp lit={safe.lit} size={88} />
      <div>
        {lead && <p className="soft">{lead}</p>}
        <StaleNote freshness={freshness} now={now} />
        <Sentence>{safe.sentence}</Sentence>
        {first && <p>{first}</p>}
        {children}
        {others.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </section>
  );
}
