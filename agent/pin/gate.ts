import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { beginSpan, leftOf, type Moment, seenSpan } from '../lib/span.ts';
import type { PinTries, Store } from '../state/store.ts';
import { isPin } from './pin.ts';

/** What came of a PIN. `left`: how many wrong ones may follow. `wait`: milliseconds until one is taken again. */
export type PinVerdict =
  | { ok: true }
  | { ok: false; why: 'wrong'; left: number }
  | { ok: false; why: 'locked'; wait: number }
  | { ok: false; why: 'unknown' };

export interface PinGateParts {
  store: Pick<Store, 'pinTries' | 'setPinTries'>;
  /** Of the policy in force; null when nobody knows a PIN. */
  hash: () => PinHash | null;
  moment: () => Moment;
  /** It has locked just now: somebody guesses. */
  guessed: () => Promise<void>;
}

export interface PinGate {
  check(typed: string): Promise<PinVerdict>;
  /** Writes down how much of a lock is left, so that switching the computer off and on does not shorten it. */
  seen(): Promise<void>;
}

const untried: PinTries = { wrong: 0, locks: 0, lock: null };

/** Whoever knows the PIN passes; after five wrong ones nobody does for a while, which doubles each time (P2.6). One after the other. */
export function pinGate({ store, hash, moment, guessed }: PinGateParts): PinGate {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };

  const check = async (typed: string): Promise<PinVerdict> => {
    const known = hash();
    if (!known) return { ok: false, why: 'unknown' };
    const before = (await store.pinTries()) ?? untried;
    const wait = before.lock ? leftOf(before.lock, moment(), 'latest') : 0;
    if (before.lock && wait > 0) {
      // From here on the time of this start counts, if it was begun before.
      await store.setPinTries({ ...before, lock: seenSpan(before.lock, moment(), 'latest') });
      return { ok: false, why: 'locked', wait };
    }
    const wrong = before.wrong + 1;
    const locks = wrong >= agentLimits.pin_tries;
    const length = Math.min(agentLimits.pin_lock_max, agentLimits.pin_lock * 2 ** before.locks);
    // On the disk before it is known whether it was right: ending the program does not give a try back.
    await store.setPinTries(
      locks ? { wrong: 0, locks: before.locks + 1, lock: beginSpan(moment(), length) } : { ...before, wrong, lock: null },
    );
    if (await isPin(known, typed)) {
      await store.setPinTries(untried);
      return { ok: true };
    }
    if (!locks) return { ok: false, why: 'wrong', left: agentLimits.pin_tries - wrong };
    await guessed();
    return { ok: false, why: 'locked', wait: length };
  };

  return {
    check: (typed) => inTurn(() => check(typed)),
    seen: () =>
      inTurn(async () => {
        const tries = await store.pinTries();
        const lock = tries?.lock;
        if (!lock) return;
        const at = moment();
        // Once it is over there is nothing more to write.
        await store.setPinTries({ ...tries, lock: leftOf(lock, at, 'latest') > 0 ? seenSpan(lock, at, 'latest') : null });
      }),
  };
}
