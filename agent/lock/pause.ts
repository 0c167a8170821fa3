import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Log } from '../ports.ts';
import type { Store, StoredPause } from '../state/store.ts';

const POLL_MS = 250;
const PERSIST_MS = 5000;

export interface PauseTimerDeps {
  store: Pick<Store, 'pause' | 'setPause'>;
  readClock: () => ClockReading;
  device: () => string | null;
  /** The policy's id of the holder's latest resume; null without a resume. */
  resumed: () => string | null;
  endedRemotely: () => void;
  changed: () => void;
  log: Log;
  over: string;
  notWritten: (why: unknown) => string;
}

export interface Pause {
  left(): number;
  /** Whether the pause in force was made with the PIN, and not with a guardian's one-time code. */
  isByPin(): boolean;
  /** Returns the end of the pause by the wall clock. Throws when this length is not offered. */
  begin(minutes: number, by_code: boolean): Promise<Date>;
  resume(): Promise<boolean>;
  close(): void;
}

/** A pause of protection, which neither the clock nor a restart prolongs (P4.6). */
export async function pauseTimer({
  store,
  readClock,
  device,
  resumed,
  endedRemotely,
  changed,
  log,
  over,
  notWritten,
}: PauseTimerDeps): Promise<Pause> {
  let now: StoredPause | null = await store.pause();
  let persistedAt = readClock().up;
  const isResumed = (pause: StoredPause) => {
    const currentResume = resumed();
    return pause.device === device() && currentResume !== null && currentResume !== pause.resume;
  };
  const left = () => (now && now.device === device() && !isResumed(now) ? leftOf(now.span, readClock(), 'soonest') : 0);
  /** After a failed write the time in memory can only end the pause sooner. */
  const persist = (pauseBefore: StoredPause, reading: ClockReading) => {
    now = { ...pauseBefore, span: seenSpan(pauseBefore.span, reading, 'soonest') };
    return store.setPause(now);
  };
  const end = () => {
    now = null;
    changed();
    return store.setPause(null);
  };
  const recoverPause = (pauseBefore: StoredPause) => {
    // A pause that the holder ended stays stored, because its end must still be reported.
    if (left() > 0 || isResumed(pauseBefore)) return persist(pauseBefore, readClock());
    now = null;
    return store.setPause(null);
  };
  if (now) await recoverPause(now).catch((err: unknown) => log(notWritten(err)));

  let polling: NodeJS.Timeout | undefined;
  const poll = () => {
    if (!now) return clearInterval(polling);
    if (left() === 0) {
      const fromAfar = isResumed(now);
      if (!fromAfar) log(over);
      end().catch(() => {});
      if (fromAfar) endedRemotely();
      return;
    }
    const reading = readClock();
    if (Math.abs(reading.up - persistedAt) < PERSIST_MS) return;
    persistedAt = reading.up;
    persist(now, reading).catch(() => {});
  };
  /** The timer runs only during a pause, so that it does not wake the computer needlessly. */
  const startPolling = () => {
    clearInterval(polling);
    polling = setInterval(poll, POLL_MS);
  };
  if (now) startPolling();

  return {
    left,
    isByPin: () => left() > 0 && now?.by_code === false,
    async begin(minutes, by_code) {
      const pausedDevice = device();
      if (!agentLimits.pause_minutes.some((choice) => choice === minutes) || !pausedDevice) throw new Error('There is no such pause.');
      const reading = readClock();
      const newPause = { device: pausedDevice, span: beginSpan(reading, minutes * 60_000), resume: resumed(), by_code };
      // Stops the timer, because a write for the former pause must not overwrite the new pause.
      clearInterval(polling);
      try {
        await store.setPause(newPause);
        now = newPause;
      } catch (err) {
        // A half-written pause is removed, or it could begin at the next start.
        await store.setPause(null).catch(() => {});
        throw err;
      } finally {
        startPolling();
      }
      changed();
      return new Date(reading.wall + minutes * 60_000);
    },
    async resume() {
      if (left() === 0) return false;
      await end();
      return true;
    },
    close: () => clearInterval(polling),
  };
}
