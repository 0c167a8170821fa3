import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { ToldOf } from '@porchlight/contract/told.ts';
import type { Log } from '../ports.ts';
import type { Identity } from '../state/store.ts';
import { absence } from './absence.ts';
import { backOff } from './back-off.ts';
import { type Call, Refused, retryAfter } from './call.ts';
import { checkInInterval } from './check-in-interval.ts';
import { refusedVersions } from './feed.ts';
import { sayGoodbye } from './goodbye.ts';
import { type PolicyDeps, policyRound } from './policy-loop.ts';
import { reportAll } from './reporter.ts';
import { pause } from './wakeable-wait.ts';

const checkInEvery = 60_000;
/** Also a server that answers at once with nothing new is not polled without end. */
const betweenRounds = 200;
/** After a goodbye for sleep no check-in is sent for so long, unless the computer wakes. Its clock may stand still meanwhile. */
const quietFor = 60_000;
/** For so long a running check-in is waited for before that goodbye. */
const beforeSleep = 1000;
const TIMEOUT_MS = 30_000;

export interface SyncDeps extends PolicyDeps {
  call: Call;
  info: () => AgentInfo;
  problems: () => string[];
  /** Milliseconds of Strict on the first day, and until the computer leaves its account. */
  standing: () => { strict_for: number; leaves_in: number | null };
  /** The detections for which it is unknown who was notified, and the server's answer about them. */
  asks: () => string[];
  told: (told: ToldOf[]) => void;
  protecting: () => boolean;
  /** Whether each sleep is reported to the server before it begins. */
  reportsSleep: () => boolean;
  up: () => number;
  heard: () => void;
  random: () => number;
  log: Log;
  /** Sends the less urgent reports. */
  reportMore?: (call: Call, identity: Identity) => Promise<void>;
  recognized: () => Promise<unknown>;
  /** The server does not know this device; answers whether that has lasted too long. */
  unknown: () => Promise<boolean>;
  /** The server removed this device, or has not known it for a day. */
  unlinked: (why: 'removed' | 'revoked') => void;
}

export interface Sync {
  report(): void;
  /** Protection has begun or ended: the server should know at once. */
  checkIn(): void;
  /** The computer goes to sleep: sends the goodbye, and no check-in after it. */
  asleep(): Promise<void>;
  awake(): void;
  close(): Promise<void>;
}

/** Keeps a linked device in step with the server: policy and definitions down, detections and check-ins up. Each loop backs off on its own. */
export function startSync(parts: SyncDeps, identity: Identity): Sync {
  const { store, log } = parts;
  const stop = new AbortController();
  /** No call outlives this: closing does not wait for a silent server. */
  const call: Call = (key, input, { signal = AbortSignal.timeout(TIMEOUT_MS), ...options } = {}) =>
    parts.call(key, input, { ...options, signal: AbortSignal.any([stop.signal, signal]) });
  const toReport = pause();
  const toCheckIn = pause();
  const refused = refusedVersions(parts.now, log);
  let reachable = true;
  const away = absence(parts.up);
  let quietUntil = 0;
  let checkingIn: Promise<unknown> = Promise.resolve();
  const asking = checkInInterval(parts.asks, checkInEvery);

  const noteReachable = (now: boolean, why = '') => {
    if (now !== reachable)
      log(
        now
          ? 'The server can be reached again.'
          : `The server cannot be reached (${why}). Protection continues, and detections are kept until it can.`,
      );
    // A server that waits to hear from this computer hears at once.
    if (now && !reachable) toCheckIn.wake();
    reachable = now;
  };
  /**
   * Only our server's own answer ends a link, whatever the status: a proxy may answer 401 or 410 for its own reasons. An unknown device may become
   * known again: the token may have been dropped on the way, or the server restored to an older state.
   */
  const endOf = async (err: unknown): Promise<'removed' | 'revoked' | null> => {
    if (!(err instanceof Refused)) return null;
    if (err.code === 'device_removed') return 'removed';
    return err.code === 'unauthorized' && (await parts.unknown()) ? 'revoked' : null;
  };
  /** Runs `round` again and again; after a failure it waits longer each time. `rest`: the wait after a success. */
  const loop = async (round: () => Promise<unknown>, rest: (ms: number | null) => Promise<void>, identifies = true) => {
    const wait = backOff(parts.random);
    while (!stop.signal.aborted) {
      try {
        await round();
        wait.reset();
        noteReachable(true);
        if (identifies) await parts.recognized();
        parts.heard();
        away.heard();
        await rest(null);
      } catch (err) {
        if (stop.signal.aborted) return;
        const ended = await endOf(err);
        if (stop.signal.aborted) return;
        if (ended) {
          stop.abort();
          parts.unlinked(ended);
          return;
        }
        if (!isUnknown(err)) noteReachable(false, err instanceof Error ? err.message : String(err));
        await rest(wait.failed(retryAfter(err)));
      }
    }
  };
  const sleepFor = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  const checkInNow = async () => {
    const said = { info: parts.info(), protecting: parts.protecting(), problems: parts.problems(), ...parts.standing() };
    const body = { ...said, says_sleep: parts.reportsSleep(), away: away.seconds(), asks: parts.asks() };
    const { told } = await call('POST /agent/check-in', { body }, { token: identity.agent_token });
    away.said();
    parts.told(told);
  };
  const checkIn = async () => {
    if (performance.now() < quietUntil) await toCheckIn.wait(quietUntil - performance.now());
    const now = checkInNow();
    checkingIn = now.catch(() => {});
    await now;
  };

  const loops = [
    loop(
      () => policyRound({ ...parts, call }, identity, refused, stop.signal),
      (ms) => sleepFor(ms ?? betweenRounds),
    ),
    loop(checkIn, (ms) => toCheckIn.wait(ms ?? asking.rest())),
    loop(
      async () => {
        await reportAll(store, call, identity, stop.signal);
        await parts.reportMore?.(call, identity);
        if (asking.isNew()) toCheckIn.wake();
      },
      (ms) => toReport.wait(ms ?? checkInEvery),
      // Most rounds have nothing to report and make no call.
      false,
    ),
  ];
  return {
    report: toReport.wake,
    checkIn: toCheckIn.wake,
    async asleep() {
      quietUntil = performance.now() + quietFor;
      await Promise.race([checkingIn, sleep(beforeSleep)]);
      await sayGoodbye(call, identity, { reason: 'sleep' });
    },
    awake() {
      quietUntil = 0;
      toCheckIn.wake();
    },
    async close() {
      stop.abort();
      toReport.wake();
      toCheckIn.wake();
      await Promise.all(loops);
    },
  };
}

const isUnknown = (err: unknown) => err instanceof Refused && err.code === 'unauthorized';
