import type { ClockReading } from '../lib/span.ts';
import type { Os } from '../os/port.ts';

const NOTICE_MS = 60 * 60_000;

export function withTemporaryNotice(os: Os, sentence: string, readClock: () => ClockReading): Os {
  const until = readClock().up + NOTICE_MS;
  return { ...os, limitations: () => [...os.limitations(), ...(readClock().up < until ? [sentence] : [])] };
}
