import type { ClockReading } from '../lib/span.ts';
import type { Os } from '../os/port.ts';

/** How long it is told: long enough for a check-in to carry it. Milliseconds. */
const toldFor = 60 * 60_000;

/** The system, with one sentence more about what is missing for a while. */
export function withTemporaryNotice(os: Os, sentence: string, readClock: () => ClockReading): Os {
  const until = readClock().up + toldFor;
  return { ...os, limitations: () => [...os.limitations(), ...(readClock().up < until ? [sentence] : [])] };
}
