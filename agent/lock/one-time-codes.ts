import { type CodePurpose, windowOf } from '@porchlight/contract/one-time-codes.ts';
import { findOneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import type { Store } from '../state/store.ts';

export interface CodeTimes {
  /** The wall clock, which anyone can set. */
  wall: number;
  /** The newest time that the server has signed. */
  newest: number;
  /** How late it is at least, by that time and the running time since. */
  now: number;
}

/** The oldest window that counts: the one before that of the newest signed time, in which a guardian may have opened the code. */
const oldestWindow = (newest: number): number => windowOf(newest) - 1;

/** The windows whose codes are accepted: −1 to +1 around each clock, and none older than the newest signed time allows (P10.7). */
export function acceptedWindows({ wall, newest, now }: CodeTimes): number[] {
  const current = [Math.max(wall, newest), now].map(windowOf);
  const windows = new Set(current.flatMap((window) => [window - 1, window, window + 1]));
  return [...windows].filter((window) => window >= oldestWindow(newest));
}

export interface OneTimeCodeDeps {
  store: Pick<Store, 'codeSecret' | 'usedCodes' | 'setUsedCodes'>;
  device: () => string | null;
  times: () => CodeTimes;
}

/** Verifies one-time codes of a guardian's page without a server (P10.7). */
export function oneTimeCodeCheck({ store, device, times }: OneTimeCodeDeps) {
  return {
    /** Null without a secret: the server has given this computer none yet. `peek`: a right code is not used up. */
    async checker(purpose: CodePurpose, program: string, peek?: 'peek'): Promise<((code: string) => Promise<boolean>) | null> {
      const [secret, uuid] = [await store.codeSecret(), device()];
      if (!secret || secret.device !== uuid) return null;
      return async (code) => {
        const stored = await store.usedCodes();
        const at = { ...times() };
        // A restart may forget the newest signed time, but not one from before the last used code.
        at.newest = Math.max(at.newest, stored.newest);
        const found = findOneTimeCode(secret.secret, { device: uuid, purpose, program }, code, acceptedWindows(at));
        if (!found) return false;
        // A used code is remembered while its window counts: a clock that was set back does not bring it back.
        const used = stored.used.filter(({ window }) => window >= oldestWindow(at.newest));
        const one = { purpose, program, ...found };
        const isSame = (other: typeof one) =>
          other.purpose === purpose && other.program === program && other.window === found.window && other.number === found.number;
        if (used.some(isSame)) return false;
        if (peek) return true;
        // Stored before it opens anything, so that it works once even if the agent ends now.
        await store.setUsedCodes({ newest: at.newest, used: [...used, one] });
        return true;
      };
    },
  };
}
