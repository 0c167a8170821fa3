import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Log } from '../ports.ts';
import type { Store, StoredPause } from '../state/store.ts';

/** How often the end of a pause is checked, and its rest persisted. */
const POLL_MS = 250;
const PERSIST_MS = 5000;

export interface PauseTimerDeps {
  store: Pick<Store, 'pause' | 'setPause'>;
  readClock: () => ClockReading;
  /** The current device: only the paused one is paused. */
  device: () => string | null;
  /** The policy's mark of pauses that the holder ended; null without one. */
  resumed: () => string | null;
  endedFromAfar: () => void;
  changed: () => void;
  log: Log;
  over: string;
  notWritten: (why: unknown) => string;
}

export interface Pause {
  /** Milliseconds until protection resumes; 0 while it is on. */
  left(): number;
  /** Answers the end by the clock. Throws when the length is not offered. */
  begin(minutes: number): Promise<Date>;
  /** Answers whether there was a pause. */
  resume(): Promise<boolean>;
  close(): void;
}

/** A pause of protection, which neither the clock nor a restart prolongs (P4.6). */
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
  /** A failed write does not stop the pause; the stored rest can only end it sooner. */
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
    // A pause that the holder ended is still to be reported.
    if (left() > 0 || isResumed(was)) return persist(was, readClock());
    // The pause ended while the agent was off.
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
  /** Only during a pause: no timer wakes the computer for nothing. */
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
      // The rest of the former pause must not overwrite the new one.
      clearInterval(polling);
      try {
        // The disk first: after a crash the pause is known.
        await store.setPause(next);
        now = next;
      } catch (err) {
        // A half-written pause would begin at the next start.
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
