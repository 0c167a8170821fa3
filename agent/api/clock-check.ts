import { counted } from '@porchlight/contract/language.ts';
import type { ClockReading } from '../lib/span.ts';

const DAY_MS = 24 * 3_600_000;

/** Compares this computer's clock with the times that the server signs. */
export function clockCheck(readClock: () => ClockReading) {
  let newest: { time: number; up: number } | null = null;
  /** By how many milliseconds the clock is ahead; null while the server has not answered. */
  const off = () => {
    const { wall, up } = readClock();
    return newest && wall - (newest.time + up - newest.up);
  };
  const daysOff = () => Math.round(Math.abs(off() ?? 0) / DAY_MS);
  return {
    noteServerTime: (issued: Date) => {
      const { up } = readClock();
      // An earlier answer is no newer, however often it is repeated.
      if (newest === null || issued.getTime() > newest.time) newest = { time: issued.getTime(), up };
    },
    daysOff,
    /** A sentence for people, for a clock that is wrong by a day or more. */
    problem(): string | null {
      const days = daysOff();
      if (days === 0) return null;
      return wrongClockWords(days);
    },
  };
}

const wrongClockWords = (days: number) =>
  `The clock of this computer is wrong by about ${days === 1 ? 'a day' : counted(days, 'day')}. Set its date and time.`;
