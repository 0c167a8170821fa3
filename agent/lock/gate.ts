import { scrypt, timingSafeEqual } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import { type PinTries, type Store, untried } from '../state/store.ts';

/** `left`: wrong attempts before the next lock. `wait`: milliseconds until the next attempt counts. */
export type PinVerdict =
  | { ok: true }
  | { ok: false; why: 'wrong'; left: number }
  | { ok: false; why: 'locked'; wait: number }
  | { ok: false; why: 'unknown' }
  /** There is no local hash yet, and the server is unreachable or refuses more attempts. */
  | { ok: false; why: 'unreachable' | 'server_locked' };

export type RemotePinCheck = (typed: string) => Promise<'right' | 'wrong' | 'unreachable' | 'server_locked'>;

export interface PinGateDeps {
  store: Pick<Store, 'pinTries' | 'setPinTries' | 'withPinLock'>;
  hash: () => PinHash | null;
  ask: (() => RemotePinCheck | null) | undefined;
  readClock: () => ClockReading;
  onLocked: () => Promise<void>;
}

export interface PinGate {
  /** `verifyCode`: checks a one-time code instead of the PIN; wrong ones are counted together. */
  check(typed: string, verifyCode?: (code: string) => Promise<boolean>): Promise<PinVerdict>;
  persistLock(): Promise<void>;
}

const lockAfter = (locks: number) => Math.min(agentLimits.pin_lock_max, agentLimits.pin_lock * 2 ** locks);
/** The state when the count is lost: the longest lock, so that deleting the file gains no attempts. */
const lost = (at: ClockReading): PinTries => ({
  wrong: 0,
  locks: Math.ceil(Math.log2(agentLimits.pin_lock_max / agentLimits.pin_lock)),
  lock: beginSpan(at, agentLimits.pin_lock_max),
});

/** Five wrong PINs lock PIN entry for a time that doubles with each lock (P2.6). Checks run one at a time. */
export function pinGate({ store, hash, ask, readClock, onLocked }: PinGateDeps): PinGate {
  let lastTurn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.catch(() => {}).then(work);
    lastTurn = turn;
    return turn;
  };

  const verifierOf = (verifyCode?: (code: string) => Promise<boolean>): RemotePinCheck | null => {
    const knownHash = hash();
    const verifyHere = verifyCode ?? (knownHash && ((typed: string) => isPin(knownHash, typed)));
    if (!verifyHere) return ask?.() ?? null;
    return async (typed) => ((await verifyHere(typed)) ? 'right' : 'wrong');
  };

  const check = async (typed: string, verifyCode?: (code: string) => Promise<boolean>): Promise<PinVerdict> => {
    const verify = verifierOf(verifyCode);
    if (!verify) return { ok: false, why: 'unknown' };
    const triesBefore = await store.pinTries();
    if (!triesBefore) {
      await store.setPinTries(lost(readClock()));
      await onLocked();
      return { ok: false, why: 'locked', wait: agentLimits.pin_lock_max };
    }
    const wait = triesBefore.lock ? leftOf(triesBefore.lock, readClock(), 'latest') : 0;
    if (triesBefore.lock && wait > 0) {
      await store.setPinTries({ ...triesBefore, lock: seenSpan(triesBefore.lock, readClock(), 'latest') });
      return { ok: false, why: 'locked', wait };
    }
    const wrongCount = triesBefore.wrong + 1;
    const locks = wrongCount >= agentLimits.pin_tries;
    const length = lockAfter(triesBefore.locks);
    // Counted before the check, so that killing the agent does not undo the count.
    await store.setPinTries(
      locks
        ? { wrong: 0, locks: triesBefore.locks + 1, lock: beginSpan(readClock(), length) }
        : { ...triesBefore, wrong: wrongCount, lock: null },
    );
    const result = await verify(typed);
    if (result === 'right') {
      await store.setPinTries(untried);
      return { ok: true };
    }
    if (result !== 'wrong') {
      // A PIN that could not be checked does not count as an attempt.
      await store.setPinTries(triesBefore);
      return { ok: false, why: result };
    }
    if (!locks) return { ok: false, why: 'wrong', left: agentLimits.pin_tries - wrongCount };
    await onLocked();
    return { ok: false, why: 'locked', wait: length };
  };

  return {
    check: (typed, verifyCode) => inTurn(() => store.withPinLock(() => check(typed, verifyCode))),
    persistLock: () =>
      inTurn(async () => {
        if (!(await store.pinTries())?.lock) return;
        await store.withPinLock(async () => {
          const tries = await store.pinTries();
          const lock = tries?.lock;
          if (!lock) return;
          const reading = readClock();
          await store.setPinTries({ ...tries, lock: leftOf(lock, reading, 'latest') > 0 ? seenSpan(lock, reading, 'latest') : null });
        });
      }),
  };
}

const roomFor = ({ n, r }: PinHash) => 128 * n * r + 32 * 1024 * 1024;

/** Compares a PIN with its hash, ignoring spaces and dashes. */
function isPin(storedHash: PinHash, typed: string): Promise<boolean> {
  const expectedHash = Buffer.from(storedHash.hash, 'base64url');
  const { n: N, r, p } = storedHash;
  return new Promise((resolve, reject) => {
    scrypt(
      typed.replace(/[\s-]/g, ''),
      Buffer.from(storedHash.salt, 'base64url'),
      expectedHash.length,
      { N, r, p, maxmem: roomFor(storedHash) },
      (err, hash) => (err ? reject(err) : resolve(timingSafeEqual(hash, expectedHash))),
    );
  });
}
