import type { Moment } from '../lib/span.ts';
import type { Os } from '../os/port.ts';

/** How long it is told: long enough for a check-in to carry it. Milliseconds. */
const toldFor = 60 * 60_000;

/** The system, with one sentence more about what is missing for a while. */
export function sayingFor(os: Os, sentence: string, moment: () => Moment): Os {
  const until = moment().up + toldFor;
  return { ...os, limitations: () => [...os.limitations(), ...(moment().up < until ? [sentence] : [])] };
}
