import { brand } from '@porchlight/contract/brand.ts';
import { clock, inWords } from '../lib/dates.ts';
import type { Freshness } from '../lib/use-freshness.ts';

/** Above what is told of people, when nothing new was heard: of when it is. */
export function StaleNote({ freshness: { silent }, now }: { freshness: Freshness; now: Date }) {
  if (!silent) return null;
  const words = inWords(silent, now);
  const when = words.startsWith('today') ? `at ${clock(silent)}` : words;
  return (
    <p>
      <strong>
        We cannot reach {brand.name}. This is how it was {when}.
      </strong>
    </p>
  );
}
