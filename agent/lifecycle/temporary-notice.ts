import type { ClockReading } from '../lib/span.ts';
import type { Os } from '../os/port.ts';

/** Long enough for a check-in to carry it. */
const toldFor = 60 * 60_000;

/** The system with one more limitation for an hour. */
export function withTemporaryNotice(os: Os, sentence: string, readClock: () => ClockReading): Os {
  const until = readClock().up + toldFor;
  return { ...os, limitations: () => [...os.limitations(), ...(readClock().up < until ? [sentence] : [])] };
}
