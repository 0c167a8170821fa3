import type { ReactNode } from 'react';
import type { SafeSentence } from '../../lib/safe-sentence.ts';
import { Lamp } from '../../ui/lamp.tsx';

const kinds = { safe: 'state', empty: 'state', alert: 'state alert', look: 'state quiet' } as const;

/** The one sentence, with the lamp: lit when all is well. */
export function StatePanel({ safe, children }: { safe: SafeSentence; children?: ReactNode }) {
  return (
    <section className={kinds[safe.mood]} aria-live="polite" aria-label="Is everyone safe?">
      <Lamp lit={safe.mood === 'safe'} size={88} />
      <div>
        <h2>{safe.sentence}</h2>
        <p>{safe.more}</p>
        {children}
      </div>
    </section>
  );
}
