import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { Identity } from '../state/store.ts';
import { backOff } from './back-off.ts';
import { type Call, Refused } from './call.ts';
import { refusedVersions } from './feed.ts';
import { pause } from './pause.ts';
import { type PolicyParts, policyRound } from './policy-loop.ts';
import { reportAll } from './reporter.ts';

const checkInEvery = 60_000;
/** So that a server that answers at once, with nothing new, is not asked without end. */
const betweenRounds = 200;
/** A call that has no answer after this long has failed. */
const patience = 30_000;

/** Only our server's own word ends a link, whatever the status: a proxy before it may answer 401 or 410 for reasons of its own. */
const endOf: Partial<Record<Refused['code'], 'removed' | 'revoked'>> = { device_removed: 'removed', unauthorized: 'revoked' };

export interface SyncParts extends PolicyParts {
  call: Call;
  info: () => AgentInfo;
  problems: () => string[];
  /** Is anything stopped at this moment? */
  protecting: () => boolean;
  /** The server has answered. */
  heard: () => void;
  random: () => number;
  log: (sentence: string) => void;
  /** Sends what else there is to report, after what is urgent. */
  reportMore?: (call: Call, identity: Identity) => Promise<void>;
  /** The server says that this device is not ours any more. */
  unlinked: (why: 'removed' | 'revoked') => void;
}

export interface Sync {
  /** There is something new to report. */
  report(): void;
  /** It protects, or does not any more: the server is to know at once. */
  checkIn(): void;
  close(): Promise<void>;
}

/** Keeps one linked device in step with the server: policy and definitions down, detections and check-ins up. Each loop backs off on its own. */
export function startSync(parts: SyncParts, identity: Identity): Sync {
  const { store, log } = parts;
  const stop = new AbortController();
  /** Nothing that is under way outlives this: closing does not wait for a server that is silent. */
  const call: Call = (key, input, { signal = AbortSignal.timeout(patience), ...options } = {}) =>
    parts.call(key, input, { ...options, signal: AbortSignal.any([stop.signal, signal]) });
  const toReport = pause();
  const toCheckIn = pause();
  const refused = refusedVersions(parts.now, log);
  let reachable = true;

  const noteReachable = (now: boolean, why = '') => {
    if (now !== reachable)
      log(
        now
          ? 'The server can be reached again.'
          : `The server cannot be reached (${why}). Protection goes on, and what happens is kept until it can.`,
      );
    reachable = now;
  };
  /** Runs `round` again and again; after a failure it waits longer each time. `rest`: how long to wait after a good one. */
  const loop = async (round: () => Promise<unknown>, rest: (ms: number | null) => Promise<void>) => {
    const wait = backOff(parts.random);
    while (!stop.signal.aborted) {
      try {
        await round();
        wait.reset();
        noteReachable(true);
        parts.heard();
        await rest(null);
      } catch (err) {
        if (stop.signal.aborted) return;
        const ended = err instanceof Refused && endOf[err.code];
        if (ended) {
          stop.abort();
          parts.unlinked(ended);
          return;
        }
        noteReachable(false, err instanceof Error ? err.message : String(err));
        await rest(wait.failed());
      }
    }
  };
  const sleepFor = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  const checkIn = () =>
    call(
      'POST /agent/check-in',
      { body: { info: parts.info(), protecting: parts.protecting(), problems: parts.problems() } },
      { token: identity.agent_token },
    );

  const loops = [
    loop(
      () => policyRound({ ...parts, call }, identity, refused, stop.signal),
      (ms) => sleepFor(ms ?? betweenRounds),
    ),
    loop(checkIn, (ms) => toCheckIn.wait(ms ?? checkInEvery)),
    loop(
      async () => {
        await reportAll(store, call, identity, stop.signal);
        await parts.reportMore?.(call, identity);
      },
      (ms) => toReport.wait(ms ?? checkInEvery),
    ),
  ];
  return {
    report: toReport.wake,
    checkIn: toCheckIn.wake,
    async close() {
      stop.abort();
      toReport.wake();
      toCheckIn.wake();
      await Promise.all(loops);
    },
  };
}
