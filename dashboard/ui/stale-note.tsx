import { brand } from '@porchlight/contract/brand.ts';
import { atTime } from '../lib/dates.ts';
import type { Freshness } from '../lib/use-freshness.ts';

export function StaleNote({ freshness: { silent }, now }: { freshness: Freshness; now: Date }) {
  if (!silent) return null;
  return (
    <p>
      <strong>
        We cannot reach {brand.name}. This is how it was {atTime(silent, now)}.
      </strong>
    </p>
  );
}
