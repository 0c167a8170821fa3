import type { ReactNode } from 'react';
import type { SafeSentence } from '../../lib/safe-sentence.ts';
import type { AsOf } from '../../lib/use-as-of.ts';
import { Lamp } from '../../ui/lamp.tsx';
import { Silent } from '../../ui/silent.tsx';

const kinds = { safe: 'state', empty: 'state', alert: 'state alert', look: 'state quiet' } as const;

/** The one sentence, with the lamp: lit when all is well and that is news. */
export function StatePanel({ safe, asOf, now, children }: { safe: SafeSentence; asOf: AsOf; now: Date; children?: ReactNode }) {
  return (
    <section className={kinds[safe.mood === 'safe' && asOf.silent ? 'look' : safe.mood]} aria-live="polite" aria-label="Is everyone safe?">
      <Lamp lit={safe.mood === 'safe' && !asOf.silent} size={88} />
      <div>
        <Silent asOf={asOf} now={now} />
        <h2>{safe.sentence}</h2>
        <p>{safe.more}</p>
        {children}
      </div>
    </section>
  );
}
