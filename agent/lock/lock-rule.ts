import { hour, minute } from '@porchlight/contract/time.ts';

/**
 * Whether the Admin PIN alone weakens nothing at this computer (P10.5): a pause, uninstalling, restoring from the quarantine, and a link to
 * another account then need a one-time code, or the server's word that it is over.
 */

export const lockLimits = {
  /** A stored lock lasts at most so long without a word from the server. */
  without_server: 24 * hour,
  /** Without a word from the server since, the end of a remote-control program locks for so long, and all such ends together at most `without_server`. */
  after_end: 60 * minute,
} as const;

/** Milliseconds of running time, which neither the clock nor a restart shortens. */
export interface LockFacts {
  /** The last policy says that an incident is open here. */
  policy: boolean;
  /** The rest of `without_server` since the server's last word. */
  word_left: number;
  /** The rest of `after_end` since the last end of a remote-control program that the server does not know; 0 without such an end. */
  ended_left: number;
  /** The rest of `without_server` since the first such end; 0 without such an end. */
  all_ended_left: number;
  /** The rest of `without_server` since the agent found the stored state missing; 0 if it was there. */
  lost_left: number;
}

/** `left`: until the lock ends without any word from the server. */
export interface Lock {
  why: 'incident' | 'ended' | 'lost';
  left: number;
}

/** Null: the PIN alone is enough. Of several reasons, the longest. */
export function decideLock(facts: LockFacts): Lock | null {
  const locks: Lock[] = [
    { why: 'incident', left: facts.policy ? facts.word_left : 0 },
    { why: 'ended', left: Math.min(facts.ended_left, facts.all_ended_left) },
    { why: 'lost', left: facts.lost_left },
  ];
  return locks
    .filter(({ left }) => left > 0)
    .reduce<Lock | null>((longest, one) => (longest && longest.left >= one.left ? longest : one), null);
}
