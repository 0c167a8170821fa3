import { setTimeout as sleep } from 'node:timers/promises';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { RoundMark } from '../ports.ts';
import type { Identity } from '../state/store.ts';
import { backOff } from './back-off.ts';
import { type Call, isTransient, retryAfter } from './call.ts';
import type { refusedVersions } from './feed.ts';
import { knownVersions, type PolicyDeps, policyRound } from './policy-loop.ts';

export interface ChangesDeps extends PolicyDeps {
  call: Call;
  protecting: () => boolean;
  /** Milliseconds since boot, sleep included. */
  up: () => number;
  random: () => number;
  /** Called for each sign of life of the server. */
  received: () => void;
  /** Waiting has failed for a while, so the server needs another sign of life. */
  checkInDue: () => void;
}

export interface Changes {
  /** Waits for a change, and fetches it. Returns how many milliseconds to wait before the next round. Throws as `policyRound` does. */
  round(stop: AbortSignal): Promise<number>;
  /** Ends the wait of this round, so that the next one begins now. */
  interrupt(): void;
}

/** Milliseconds without a byte after which a connection counts as dead. */
const NO_BYTE_MS = (serverLimits.poll_byte_seconds + 15) * 1000;
/** Milliseconds between polls, so that a server that answers at once is not polled in a busy loop. */
const BETWEEN_MS = 200;
/** Milliseconds after which the policy is fetched although nothing changed: a lock lasts a day without a word from the server. */
const REFRESH_MS = 6 * 3_600_000;
/** Milliseconds until the agent tries long polls again through a proxy that passed on no bytes. */
const RETRY_MS = 3_600_000;
/** Milliseconds between direct fetches while waiting fails, as where the servers that wait with agents are away and the others are not. */
const DIRECT_MS = 60_000;
/** A change that the server has announced is fetched this often before the next poll: one of several servers may be away. */
const FETCH_ATTEMPTS = 3;

/**
 * Waits for changes of this device by long polls of four minutes, in which the server sends bytes (P14.5). Through a proxy
 * that passes on no bytes the polls are short.
 */
export function changes(deps: ChangesDeps, identity: Identity, refusals: ReturnType<typeof refusedVersions>): Changes {
  const { call, lock, up } = deps;
  const token = identity.agent_token;
  /** When a poll received no byte, and when the policy was last fetched, in milliseconds since boot. */
  let noBytesAt: number | null = null;
  let fetchedAt: number | null = null;
  /** After a failure the server is asked without waiting, to notice at once that it answers again. */
  let hasFailed = false;
  /** When waiting began to fail, and then when the policy was last fetched without it. */
  let directAt: number | null = null;
  let interruption = new AbortController();
  const isRecent = (time: number | null) => time !== null && up() - time < RETRY_MS;

  const fetch = async (stop: AbortSignal, mark: RoundMark) => {
    await policyRound(deps, identity, refusals, { mark, stop });
    fetchedAt = up();
  };
  const fetchChange = async (stop: AbortSignal) => {
    const backoff = backOff(deps.random);
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetch(stop, await lock.beginRound());
      } catch (err) {
        // A busy server has set the wait itself.
        if (attempt >= FETCH_ATTEMPTS || !isTransient(err) || retryAfter(err) !== undefined) throw err;
        await sleep(backoff.failed(), undefined, { signal: stop });
      }
    }
  };
  const waitForChange = async (stop: AbortSignal, mark: RoundMark) => {
    const { signal: interrupted } = interruption;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new DOMException('the server sent nothing', 'TimeoutError')), NO_BYTE_MS);
    // The server answers within a short wait even through a proxy that passes on no bytes before the end.
    const longestWait = mark.wants_word || isRecent(noBytesAt) ? serverLimits.agent_wait_seconds : serverLimits.poll_seconds;
    const wait = hasFailed ? 0 : longestWait;
    const body = { ...(await knownVersions(deps, refusals)), protecting: deps.protecting(), wait };
    const received = () => {
      timer.refresh();
      deps.received();
    };
    try {
      const signal = AbortSignal.any([stop, interrupted, timeout.signal]);
      const answer = await call('POST /agent/changes', { body }, { token, signal, received });
      hasFailed = false;
      directAt = null;
      return answer;
    } catch (err) {
      if (interrupted.aborted && !stop.aborted) return { changed: false, again_in: 0 };
      if (timeout.signal.aborted) noBytesAt = up();
      hasFailed = true;
      throw err;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async round(stop) {
      if (interruption.signal.aborted) interruption = new AbortController();
      const mark = await lock.beginRound();
      const isOld = fetchedAt === null || up() - fetchedAt >= REFRESH_MS;
      // A device that the server does not know asks without waiting, to learn at once when it is known again.
      if (isOld || mark.needs_word || !deps.isKnown()) {
        await fetch(stop, mark);
        return BETWEEN_MS;
      }
      try {
        const { changed, again_in } = await waitForChange(stop, mark);
        if (changed) await fetchChange(stop);
        return Math.max(BETWEEN_MS, again_in);
      } catch (err) {
        directAt ??= up();
        if (isTransient(err) && up() - directAt >= DIRECT_MS) {
          directAt = up();
          await fetch(stop, mark);
          deps.checkInDue();
        }
        throw err;
      }
    },
    interrupt: () => interruption.abort(),
  };
}
