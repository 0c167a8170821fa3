import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import { type PinTries, type Store, untried } from '../state/store.ts';
import { isPin } from './pin-check.ts';

/** `left`: how many wrong tries may follow. `wait`: milliseconds until the next one counts. */
export type PinVerdict =
  | { ok: true }
  | { ok: false; why: 'wrong'; left: number }
  | { ok: false; why: 'locked'; wait: number }
  | { ok: false; why: 'unknown' }
  /** Only the server can check the PIN yet, and it is unreachable or refuses more tries. */
  | { ok: false; why: 'unreachable' | 'server_locked' };

export type RemotePinCheck = (typed: string) => Promise<'right' | 'wrong' | 'unreachable' | 'server_locked'>;

export interface PinGateDeps {
  store: Pick<Store, 'pinTries' | 'setPinTries' | 'pinTurn'>;
  /** Null when the hash is not known here. */
  hash: () => PinHash | null;
  /** Asks the server, for a device without a hash; null where there is no server to ask. */
  ask: (() => RemotePinCheck | null) | undefined;
  readClock: () => ClockReading;
  /** The PIN has locked: somebody guesses. */
  guessed: () => Promise<void>;
}

export interface PinGate {
  check(typed: string): Promise<PinVerdict>;
  /** Persists the rest of a lock, so that a restart does not shorten it. */
  seen(): Promise<void>;
}

const lockAfter = (locks: number) => Math.min(agentLimits.pin_lock_max, agentLimits.pin_lock * 2 ** locks);
/** A lost count locks as if it had been high, so that deleting the file gives no tries. */
const lost = (at: ClockReading): PinTries => ({
  wrong: 0,
  locks: Math.ceil(Math.log2(agentLimits.pin_lock_max / agentLimits.pin_lock)),
  lock: beginSpan(at, agentLimits.pin_lock_max),
});

/** Five wrong PINs lock for a time that doubles with each lock (P2.6). Checks run one after the other. A lost count locks for the longest time. */
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
      // A lock from an earlier start of the computer counts by this one's clock from now on.
      await store.setPinTries({ ...before, lock: seenSpan(before.lock, readClock(), 'latest') });
      return { ok: false, why: 'locked', wait };
    }
    const wrong = before.wrong + 1;
    const locks = wrong >= agentLimits.pin_tries;
    const length = lockAfter(before.locks);
    // On the disk before the check: killing the agent does not give a try back.
    await store.setPinTries(
      locks ? { wrong: 0, locks: before.locks + 1, lock: beginSpan(readClock(), length) } : { ...before, wrong, lock: null },
    );
    const said = known ? ((await isPin(known, typed)) ? 'right' : 'wrong') : ((await asked?.(typed)) ?? 'unreachable');
    if (said === 'right') {
      await store.setPinTries(untried);
      return { ok: true };
    }
    if (said !== 'wrong') {
      // An unchecked PIN is no try.
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
          // A finished lock is not persisted again.
          await store.setPinTries({ ...tries, lock: leftOf(lock, at, 'latest') > 0 ? seenSpan(lock, at, 'latest') : null });
        });
      }),
  };
}
