import { z } from 'zod';

/**
 * A clock reading in milliseconds. `wall`: the wall clock, which anyone can set. `up`: since boot, sleep included, which nobody can set.
 * `boot`: differs for each boot; '' when unknown.
 */
export interface ClockReading {
  wall: number;
  up: number;
  boot: string;
}

export const span = z.object({
  /** The end by the wall clock. */
  ends: z.number(),
  /** The end by `up` of this `boot`. */
  up_ends: z.number(),
  boot: z.string(),
  /** The time of the last update, by wall clock and by `up`; a restart does not lose the time before it. */
  seen_wall: z.number(),
  seen_up: z.number(),
});
export type Span = z.infer<typeof span>;

export function beginSpan(reading: ClockReading, length: number): Span {
  return { ends: reading.wall + length, up_ends: reading.up + length, boot: reading.boot, seen_wall: reading.wall, seen_up: reading.up };
}

/**
 * Milliseconds left; 0 at the end. Where the wall clock and `up` disagree:
 * - `soonest` (a pause): the earlier end counts. A clock set back while the computer was off ends the span at once.
 * - `latest` (a lock): only `up` counts. Time while the computer was off does not count, because only the wall clock measured it.
 */
export function leftOf(span: Span, reading: ClockReading, mode: 'soonest' | 'latest'): number {
  const sameBoot = reading.boot === span.boot && reading.up >= span.seen_up;
  // After a restart `up` begins at 0, so it is added to the `up` of the last update.
  const byUp = span.up_ends - (sameBoot ? reading.up : span.seen_up + reading.up);
  if (mode === 'latest') return Math.max(0, byUp);
  if (!sameBoot && reading.wall < span.seen_wall) return 0;
  return Math.max(0, Math.min(byUp, span.ends - reading.wall));
}

/** Updates the span to now; the result must be stored regularly, so that a restart knows the time left. */
export function seenSpan(span: Span, reading: ClockReading, mode: 'soonest' | 'latest'): Span {
  const msLeft = leftOf(span, reading, mode);
  // Shortens the end by the wall clock, or a clock that was set back would extend the span after a restart.
  return {
    ends: Math.min(span.ends, reading.wall + msLeft),
    up_ends: reading.up + msLeft,
    boot: reading.boot,
    seen_wall: reading.wall,
    seen_up: reading.up,
  };
}

/**
 * The time left of what a policy allows `until` then. The length is computed from the server's times only, because this computer's clock may be
 * wrong. A newer policy states it again, which can only shorten the time left of what is `known`.
 */
export function policySpan({ issued }: { issued: string }, until: string, known: Span | undefined, reading: ClockReading): Span {
  const length = Math.max(0, Date.parse(until) - Date.parse(issued));
  return known && leftOf(known, reading, 'soonest') <= length ? known : beginSpan(reading, length);
}
