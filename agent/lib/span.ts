import { z } from 'zod';

/**
 * A moment as the computer knows it, all in milliseconds. `wall`: the clock, which anyone can set. `up`: since the computer started, asleep or awake,
 * which nobody can set. `boot`: changes with each start; '' where the system does not say.
 */
export interface ClockReading {
  wall: number;
  up: number;
  boot: string;
}

/** A stretch of time that has begun, as it is kept on the disk. */
export const span = z.object({
  /** By the clock. */
  ends: z.number(),
  /** By `up` of `boot`. */
  up_ends: z.number(),
  boot: z.string(),
  /** When it was last looked at: what a restart takes away from `up` is known to that moment. */
  seen_wall: z.number(),
  seen_up: z.number(),
});
export type Span = z.infer<typeof span>;

export function beginSpan(at: ClockReading, length: number): Span {
  return { ends: at.wall + length, up_ends: at.up + length, boot: at.boot, seen_wall: at.wall, seen_up: at.up };
}

/**
 * Milliseconds that are left; 0 when it is over. Where the clock and the time since the start do not agree one of them is believed:
 * - `soonest` (a pause): whichever ends it first. A clock that was set back while the computer was off ends it at once.
 * - `latest` (a lock): never the clock. The time in which the computer was off does not count, since only the clock could tell of it.
 */
export function leftOf(span: Span, at: ClockReading, which: 'soonest' | 'latest'): number {
  const sameBoot = at.boot === span.boot && at.up >= span.seen_up;
  // After a restart it has run for `up` again, on top of what was seen before.
  const byUp = span.up_ends - (sameBoot ? at.up : span.seen_up + at.up);
  if (which === 'latest') return Math.max(0, byUp);
  if (!sameBoot && at.wall < span.seen_wall) return 0;
  return Math.max(0, Math.min(byUp, span.ends - at.wall));
}

/** The same stretch, as it stands now: to be kept again and again, so that a restart finds out what was left. */
export function seenSpan(span: Span, at: ClockReading, which: 'soonest' | 'latest'): Span {
  const left = leftOf(span, at, which);
  // A clock that was set back must not give back, after a restart, what was over by then.
  return { ends: Math.min(span.ends, at.wall + left), up_ends: at.up + left, boot: at.boot, seen_wall: at.wall, seen_up: at.up };
}
