import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { DetectionDeliveries } from '@porchlight/contract/detection-deliveries.ts';
import type { Log } from '../ports.ts';
import type { Identity } from '../state/store.ts';
import { absence } from './absence.ts';
import { backOff } from './back-off.ts';
import { type Call, isOtherProtocol, Refused, retryAfter } from './call.ts';
import { changes } from './changes.ts';
import { refusedVersions } from './feed.ts';
import { sayGoodbye } from './goodbye.ts';
import type { PolicyDeps } from './policy-loop.ts';
import { reportAll } from './reporter.ts';
import { type WakeableWait, wakeableWait } from './wakeable-wait.ts';

/** Milliseconds: waiting for changes is a sign of life already. */
const CHECK_IN_MS = 3_600_000;
const REPORT_MS = 60_000;
/** Milliseconds without check-ins after the goodbye for sleep, unless the computer wakes earlier. */
const quietFor = 60_000;
const beforeSleep = 1000;
const TIMEOUT_MS = 30_000;

export interface SyncDeps extends PolicyDeps {
  call: Call;
  info: () => AgentInfo;
  problems: () => string[];
  /** Milliseconds left of Strict on the first day, and milliseconds until the computer leaves its account. */
  countdowns: () => { strict_for: number; leaves_in: number | null };
  /** Detections whose notified people the server has not reported yet; `notified` receives its answer. */
  asks: () => string[];
  notified: (notified: DetectionDeliveries[]) => void;
  protecting: () => boolean;
  /** Whether the operating system announces sleep, so that the agent can report it. */
  reportsSleep: () => boolean;
  up: () => number;
  answered: () => void;
  random: () => number;
  log: Log;
  reportMore?: (call: Call, identity: Identity) => Promise<void>;
  recognized: () => Promise<unknown>;
  /** Call when the server does not know this device; resolves to true when that has lasted a day. */
  unrecognized: () => Promise<boolean>;
  /** The server removed this device, or did not recognize it for a day. */
  unlinked: (why: 'removed' | 'revoked') => void;
}

export interface Sync {
  report(): void;
  checkIn(): void;
  asleep(): Promise<void>;
  awake(): void;
  close(): Promise<void>;
}

/** Synchronizes a linked device with the server. Each loop backs off by itself; the first that reaches the server again wakes the others. */
export function startSync(deps: SyncDeps, identity: Identity): Sync {
  const { store, log } = deps;
  const stopController = new AbortController();
  let answerCount = 0;
  const call: Call = async (key, input, { signal = AbortSignal.timeout(TIMEOUT_MS), ...options } = {}) => {
    const answer = await deps.call(key, input, { ...options, signal: AbortSignal.any([stopController.signal, signal]) });
    answerCount += 1;
    return answer;
  };
  const [toAskPolicy, toReport, toCheckIn] = [wakeableWait(), wakeableWait(), wakeableWait()];
  const refusals = refusedVersions(deps.up, log);
  let reachable = true;
  const outage = absence(deps.up);
  const noteAnswer = () => {
    deps.answered();
    outage.answered();
  };
  const waiting = changes({ ...deps, call, received: noteAnswer, checkInDue: () => toCheckIn.wake() }, identity, refusals);
  const checkInTiming = checkInInterval(deps.asks, CHECK_IN_MS);
  let quietUntil = 0;
  let checkingIn: Promise<unknown> = Promise.resolve();

  const noteUnreachable = (err: unknown) => {
    const why = err instanceof Error ? err.message : String(err);
    const problem = isOtherProtocol(err) ? why : unreachableWords(why);
    if (reachable) log(`${problem} Protection continues, and detections are kept until it can.`);
    reachable = false;
  };
  const waits = [toAskPolicy, toReport, toCheckIn];
  /** The waits whose length a busy server has set (`Retry-After`). */
  const setByServer = new Set<WakeableWait>();
  /** The loop of `ownWait` reached the server. After an outage the others try at once, with the detections and changes of that time. */
  const noteReachable = (ownWait: WakeableWait) => {
    if (reachable) return;
    reachable = true;
    log('The server can be reached again.');
    for (const wait of waits) if (wait !== ownWait && !setByServer.has(wait)) wait.wake();
  };
  /**
   * Only our server's own answer unlinks a device, because a proxy may answer 401 or 410. The server may know an unknown device again
   * later: see `farewells.ts`.
   */
  const unlinkReasonOf = async (err: unknown): Promise<'removed' | 'revoked' | null> => {
    if (!(err instanceof Refused)) return null;
    if (err.code === 'device_removed') return 'removed';
    return err.code === 'unauthorized' && (await deps.unrecognized()) ? 'revoked' : null;
  };
  /** Repeats `round` after each `wait`, with backoff after failures. `interval`: milliseconds after a success. */
  const loop = async (round: () => Promise<unknown>, wait: WakeableWait, interval: () => number, identifies = true) => {
    const backoff = backOff(deps.random);
    while (!stopController.signal.aborted) {
      setByServer.delete(wait);
      const answersBefore = answerCount;
      try {
        await round();
        backoff.reset();
        // A round without anything to report has asked nothing.
        const isAnswered = answerCount > answersBefore;
        if (isAnswered) noteReachable(wait);
        if (identifies) await deps.recognized();
        if (isAnswered) noteAnswer();
        await wait.wait(interval());
      } catch (err) {
        if (stopController.signal.aborted) return;
        const ended = await unlinkReasonOf(err);
        if (stopController.signal.aborted) return;
        if (ended) {
          stopController.abort();
          deps.unlinked(ended);
          return;
        }
        if (!isUnknown(err)) noteUnreachable(err);
        const serverWait = retryAfter(err);
        if (serverWait !== undefined) setByServer.add(wait);
        await wait.wait(backoff.failed(serverWait));
      }
    }
  };
  const limitationsNow = () => deps.info().limitations.join();
  let lastLimitations = limitationsNow();
  const limitationsChanged = () => {
    const before = lastLimitations;
    lastLimitations = limitationsNow();
    return lastLimitations !== before;
  };
  const checkInNow = async () => {
    const status = { info: deps.info(), protecting: deps.protecting(), problems: deps.problems(), ...deps.countdowns() };
    const body = { ...status, says_sleep: deps.reportsSleep(), away: outage.seconds(), asks: deps.asks() };
    const { notified } = await call('POST /agent/check-in', { body }, { token: identity.agent_token });
    outage.reported();
    deps.notified(notified);
  };
  let untilNextRound = 0;
  const changesRound = async () => {
    untilNextRound = await waiting.round(stopController.signal);
  };
  const checkIn = async () => {
    if (performance.now() < quietUntil) await toCheckIn.wait(quietUntil - performance.now());
    const runningCheckIn = checkInNow();
    checkingIn = runningCheckIn.catch(() => {});
    await runningCheckIn;
  };

  const loops = [
    loop(changesRound, toAskPolicy, () => untilNextRound),
    loop(checkIn, toCheckIn, checkInTiming.nextWait),
    loop(
      async () => {
        // After a report the server may answer sooner, or end a lock.
        if (await reportAll(store, call, identity, stopController.signal)) waiting.interrupt();
        await deps.reportMore?.(call, identity);
        if (checkInTiming.isNew()) toCheckIn.wake();
        if (limitationsChanged()) toCheckIn.wake();
      },
      toReport,
      () => REPORT_MS,
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
      // The connection from before the sleep may be dead.
      waiting.interrupt();
    },
    async close() {
      stopController.abort();
      for (const wait of waits) wait.wake();
      await Promise.all(loops);
    },
  };
}

const isUnknown = (err: unknown) => err instanceof Refused && err.code === 'unauthorized';

const unreachableWords = (why: string) => `The server cannot be reached (${why}).`;

const SOON_MS = 3000;
const QUICK_CHECK_INS = 10;

/** Shortens the check-in interval while the user waits to read who was notified. */
function checkInInterval(unansweredDetections: () => string[], usualMs: number) {
  let lastUnanswered = '';
  let quickCheckInsLeft = 0;
  return {
    isNew(): boolean {
      const unanswered = unansweredDetections().join();
      const isNew = unanswered !== '' && unanswered !== lastUnanswered;
      lastUnanswered = unanswered || lastUnanswered;
      if (isNew) quickCheckInsLeft = QUICK_CHECK_INS;
      return isNew;
    },
    nextWait: () => (unansweredDetections().length && quickCheckInsLeft-- > 0 ? SOON_MS : usualMs),
  };
}
