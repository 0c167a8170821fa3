import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, leftOf, type Moment, seenSpan } from '../lib/span.ts';
import type { PauseKept, Store } from '../state/store.ts';

/** How often it is looked whether a pause is over, and how often what is left of it is written down. In milliseconds. */
const lookEvery = 250;
const keepEvery = 5000;

export interface PauseParts {
  store: Pick<Store, 'pause' | 'setPause'>;
  moment: () => Moment;
  /** Which device is paused: another one is not. */
  device: () => string | null;
  /** What the policy in force says of pauses that the holder ended from afar; null while there is none, or it says nothing. */
  resumed: () => string | null;
  /** The holder has ended it from afar. */
  endedFromAfar: () => void;
  /** It has begun, or is over. */
  changed: () => void;
  log: (sentence: string) => void;
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
export async function pauses({
  store,
  moment,
  device,
  resumed,
  endedFromAfar,
  changed,
  log,
  over,
  notWritten,
}: PauseParts): Promise<Pause> {
  let now: PauseKept | null = await store.pause();
  let kept = moment().up;
  const isResumed = (pause: PauseKept) => {
    const said = resumed();
    return pause.device === device() && said !== null && said !== pause.resume;
  };
  const left = () => (now && now.device === device() && !isResumed(now) ? leftOf(now.span, moment(), 'soonest') : 0);
  /** It goes on in any case; its note can only end it sooner. */
  const keep = (was: PauseKept, at: Moment) => {
    now = { ...was, span: seenSpan(was.span, at, 'soonest') };
    return store.setPause(now);
  };
  const end = () => {
    now = null;
    changed();
    return store.setPause(null);
  };
  const takeUp = (was: PauseKept) => {
    // One that was ended from afar is still to be told of.
    if (left() > 0 || isResumed(was)) return keep(was, moment());
    // It has come to its end while nobody looked.
    now = null;
    return store.setPause(null);
  };
  if (now) await takeUp(now).catch((err: unknown) => log(notWritten(err)));

  let looking: NodeJS.Timeout | undefined;
  const look = () => {
    if (!now) return clearInterval(looking);
    if (left() === 0) {
      const fromAfar = isResumed(now);
      if (!fromAfar) log(over);
      end().catch(() => {});
      if (fromAfar) endedFromAfar();
      return;
    }
    const at = moment();
    if (Math.abs(at.up - kept) < keepEvery) return;
    kept = at.up;
    keep(now, at).catch(() => {});
  };
  /** Only while there is a pause: nothing is to wake the computer for nothing. */
  const looksAfter = () => {
    clearInterval(looking);
    looking = setInterval(look, lookEvery);
  };
  if (now) looksAfter();

  return {
    left,
    async begin(minutes) {
      const whose = device();
      if (!agentLimits.pause_minutes.some((allowed) => allowed === minutes) || !whose) throw new Error('There is no such pause.');
      const at = moment();
      const next = { device: whose, span: beginSpan(at, minutes * 60_000), resume: resumed() };
      // What is left of the one before is not to be written over it.
      clearInterval(looking);
      try {
        // On the disk first: what is in force is always known after a crash.
        await store.setPause(next);
        now = next;
      } catch (err) {
        // Half of it may be there, and would begin at the next start.
        await store.setPause(null).catch(() => {});
        throw err;
      } finally {
        looksAfter();
      }
      changed();
      return new Date(at.wall + minutes * 60_000);
    },
    async resume() {
      if (left() === 0) return false;
      await end();
      return true;
    },
    close: () => clearInterval(looking),
  };
}
