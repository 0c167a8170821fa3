import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Log } from '../ports.ts';
import type { Store, StoredPause } from '../state/store.ts';

/** How often it is looked whether a pause is over, and how often what is left of it is written down. In milliseconds. */
const POLL_MS = 250;
const PERSIST_MS = 5000;

export interface PauseTimerDeps {
  store: Pick<Store, 'pause' | 'setPause'>;
  readClock: () => ClockReading;
  /** Which device is paused: another one is not. */
  device: () => string | null;
  /** What the policy in force says of pauses that the holder ended from afar; null while there is none, or it says nothing. */
  resumed: () => string | null;
  /** The holder has ended it from afar. */
  endedFromAfar: () => void;
  /** It has begun, or is over. */
  changed: () => void;
  log: Log;
  over: string;
  notWritten: (why: unknown) => string;
}

export interface Pause {
  /** Milliseconds until protection goes on; 0 while it does. */
  left(): number;
  /** Answers when it ends by the clock. Throws when there is no such pause. */
  begin(minutes: number): Promise<Date>;
  /** Answers whether there was one. */
  resume(): Promise<boolean>;
  close(): void;
}

/** No protection until an end that neither the clock nor switching the computer off and on puts off (P4.6). */
export async function pauseTimer({
  store,
  readClock,
  device,
  resumed,
  endedFromAfar,
  changed,
  log,
  over,
  notWritten,
}: PauseTimerDeps): Promise<Pause> {
  let now: StoredPause | null = await store.pause();
  let persistedAt = readClock().up;
  const isResumed = (pause: StoredPause) => {
    const said = resumed();
    return pause.device === device() && said !== null && said !== pause.resume;
  };
  const left = () => (now && now.device === device() && !isResumed(now) ? leftOf(now.span, readClock(), 'soonest') : 0);
  /** It goes on in any case; its note can only end it sooner. */
  const persist = (was: StoredPause, at: ClockReading) => {
    now = { ...was, span: seenSpan(was.span, at, 'soonest') };
    return store.setPause(now);
  };
  const end = () => {
    now = null;
    changed();
    return store.setPause(null);
  };
  const recoverInterruptedKills = (was: StoredPause) => {
    // One that was ended from afar is still to be told of.
    if (left() > 0 || isResumed(was)) return persist(was, readClock());
    // It has come to its end while nobody looked.
    now = null;
    return store.setPause(null);
  };
  if (now) await recoverInterruptedKills(now).catch((err: unknown) => log(notWritten(err)));

  let polling: NodeJS.Timeout | undefined;
  const poll = () => {
    if (!now) return clearInterval(polling);
    if (left() === 0) {
      const fromAfar = isResumed(now);
      if (!fromAfar) log(over);
      end().catch(() => {});
      if (fromAfar) endedFromAfar();
      return;
    }
    const at = readClock();
    if (Math.abs(at.up - persistedAt) < PERSIST_MS) return;
    persistedAt = at.up;
    persist(now, at).catch(() => {});
  };
  /** Only while there is a pause: nothing is to wake the computer for nothing. */
  const startPolling = () => {
    clearInterval(polling);
    polling = setInterval(poll, POLL_MS);
  };
  if (now) startPolling();

  return {
    left,
    async begin(minutes) {
      const whose = device();
      if (!agentLimits.pause_minutes.some((allowed) => allowed === minutes) || !whose) throw new Error('There is no such pause.');
      const at = readClock();
      const next = { device: whose, span: beginSpan(at, minutes * 60_000), resume: resumed() };
      // What is left of the one before is not to be written over it.
      clearInterval(polling);
      try {
        // On the disk first: what is in force is always known after a crash.
        await store.setPause(next);
        now = next;
      } catch (err) {
        // Half of it may be there, and would begin at the next start.
        await store.setPause(null).catch(() => {});
        throw err;
      } finally {
        startPolling();
      }
      changed();
      return new Date(at.wall + minutes * 60_000);
    },
    async resume() {
      if (left() === 0) return false;
      await end();
      return true;
    },
    close: () => clearInterval(polling),
  };
}
