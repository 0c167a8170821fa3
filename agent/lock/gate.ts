import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import { type PinTries, type Store, untried } from '../state/store.ts';
import { isPin } from './pin-check.ts';

/** What came of a PIN. `left`: how many wrong ones may follow. `wait`: milliseconds until one is taken again. */
export type PinVerdict =
  | { ok: true }
  | { ok: false; why: 'wrong'; left: number }
  | { ok: false; why: 'locked'; wait: number }
  | { ok: false; why: 'unknown' }
  /** Only the server can check it yet, and it does not answer, or takes no more. */
  | { ok: false; why: 'unreachable' | 'server_locked' };

/** What the server says of a PIN. */
export type RemotePinCheck = (typed: string) => Promise<'right' | 'wrong' | 'unreachable' | 'server_locked'>;

export interface PinGateDeps {
  store: Pick<Store, 'pinTries' | 'setPinTries' | 'pinTurn'>;
  /** Of the policy in force; null when it is not known here. */
  hash: () => PinHash | null;
  /** Asks the server, for a device that it has not given the hash yet; null where there is nobody to ask. */
  ask: (() => RemotePinCheck | null) | undefined;
  readClock: () => ClockReading;
  /** It has locked just now: somebody guesses. */
  guessed: () => Promise<void>;
}

export interface PinGate {
  check(typed: string): Promise<PinVerdict>;
  /** Writes down how much of a lock is left, so that switching the computer off and on does not shorten it. */
  seen(): Promise<void>;
}

const lockAfter = (locks: number) => Math.min(agentLimits.pin_lock_max, agentLimits.pin_lock * 2 ** locks);
/** Nobody knows how often it was tried: as if it had been often, so that taking the count away gives no tries. */
const lost = (at: ClockReading): PinTries => ({
  wrong: 0,
  locks: Math.ceil(Math.log2(agentLimits.pin_lock_max / agentLimits.pin_lock)),
  lock: beginSpan(at, agentLimits.pin_lock_max),
});

/**
 * Whoever knows the PIN passes; after five wrong ones nobody does for a while, which doubles each time (P2.6). One after the other. A count that is gone
 * locks for as long as it ever does.
 */
export function pinGate({ store, hash, ask, readClock, guessed }: PinGateDeps): PinGate {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };

  const check = async (typed: string): Promise<PinVerdict> => {
    const known = hash();
    const asked = known ? null : ask?.();
    if (!known && !asked) return { ok: false, why: 'unknown' };
    const before = await store.pinTries();
    if (!before) {
      await store.setPinTries(lost(readClock()));
      await guessed();
      return { ok: false, why: 'locked', wait: agentLimits.pin_lock_max };
    }
    const wait = before.lock ? leftOf(before.lock, readClock(), 'latest') : 0;
    if (before.lock && wait > 0) {
      // From here on the time of this start counts, if it was begun before.
      await store.setPinTries({ ...before, lock: seenSpan(before.lock, readClock(), 'latest') });
      return { ok: false, why: 'locked', wait };
    }
    const wrong = before.wrong + 1;
    const locks = wrong >= agentLimits.pin_tries;
    const length = lockAfter(before.locks);
    // On the disk before it is known whether it was right: ending the program does not give a try back.
    await store.setPinTries(
      locks ? { wrong: 0, locks: before.locks + 1, lock: beginSpan(readClock(), length) } : { ...before, wrong, lock: null },
    );
    const said = known ? ((await isPin(known, typed)) ? 'right' : 'wrong') : ((await asked?.(typed)) ?? 'unreachable');
    if (said === 'right') {
      await store.setPinTries(untried);
      return { ok: true };
    }
    if (said !== 'wrong') {
      // Nobody has looked at it, so it was no try.
      await store.setPinTries(before);
      return { ok: false, why: said };
    }
    if (!locks) return { ok: false, why: 'wrong', left: agentLimits.pin_tries - wrong };
    await guessed();
    return { ok: false, why: 'locked', wait: length };
  };

  return {
    check: (typed) => inTurn(() => store.pinTurn(() => check(typed))),
    seen: () =>
      inTurn(async () => {
        if (!(await store.pinTries())?.lock) return;
        await store.pinTurn(async () => {
          const tries = await store.pinTries();
          const lock = tries?.lock;
          if (!lock) return;
          const at = readClock();
          // Once it is over there is nothing more to write.
          await store.setPinTries({ ...tries, lock: leftOf(lock, at, 'latest') > 0 ? seenSpan(lock, at, 'latest') : null });
        });
      }),
  };
}
