import { brand } from '@porchlight/contract/brand.ts';
import { clock, inWords } from '../lib/dates.ts';
import type { Freshness } from '../lib/use-freshness.ts';

export function StaleNote({ freshness: { silent }, now }: { freshness: Freshness; now: Date }) {
  if (!silent) return null;
  const sinceText = inWords(silent, now);
  const when = sinceText.startsWith('today') ? `at ${clock(silent)}` : sinceText;
  return (
    <p>
      <strong>
        We cannot reach {brand.name}. This is how it was {when}.
      </strong>
    </p>
  );
}
