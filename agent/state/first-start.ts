import type { Store } from './store.ts';

/** A file of the last minute before the first start is not trusted: a clock that the network just corrected went back by less. */
const MARGIN_MS = 60_000;

export interface FirstStart {
  /** Files that changed before this time (milliseconds since 1970) were there when the agent was first started. Null when unknown. */
  before(): number | null;
  /** Is this the first start? */
  isNow: boolean;
  /** Once the clock (milliseconds since 1970) was before the first start, times of files prove nothing, now and after a restart. */
  checkClock(now: number): void;
}

/** Failed writes go to `failed`; they are repeated at the next start. */
export async function readFirstStart(store: Store, now: number, failed: (why: unknown) => void): Promise<FirstStart> {
  const stored = await store.firstStart();
  // Without the stored time, which could not be written or was deleted, the oldest file of the state counts.
  let before = stored ? stored.before : (store.created ?? now) - MARGIN_MS;
  if (!stored) await store.setFirstStart({ before }).catch(failed);
  const firstStart: FirstStart = {
    before: () => before,
    isNow: store.created === null,
    checkClock(time) {
      if (before === null || time >= before) return;
      before = null;
      void store.setFirstStart({ before }).catch(failed);
    },
  };
  firstStart.checkClock(now);
  return firstStart;
}
