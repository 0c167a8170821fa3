import { setTimeout as sleep } from 'node:timers/promises';
import { FeedRefused } from '@porchlight/definitions/feed-refused.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import type { Log } from '../ports.ts';
import type { Store } from '../state/store.ts';
import { backOff } from './back-off.ts';
import { type Call, retryAfter } from './call.ts';
import { pinKeys } from './enrol.ts';
import { acceptFeed, type FeedDeps, versionIn } from './feed.ts';

/** With jitter, so that computers switched on together do not fetch together. */
const fetchEvery = 6 * 3_600_000;
const jitter = 0.1;
const firstRetry = 1000;
const lastRetry = 30 * 60_000;

export interface FreePlanDeps extends FeedDeps {
  store: Store;
  call: Call;
  known: () => DefinitionSet | null;
  changed: (definitions: DefinitionSet) => void;
  random: () => number;
  log: Log;
  /** Waits `ms`, or until the signal; tests replace it. */
  rest?: (ms: number, stop: AbortSignal) => Promise<void>;
}

/** Updates the definitions of a computer without an account: at once, and then every six hours. */
export function startFreePlan(deps: FreePlanDeps): { close(): Promise<void> } {
  const { random, log, rest = restFor } = deps;
  const stopController = new AbortController();
  const loop = async () => {
    const wait = backOff(random, firstRetry, lastRetry);
    let isLogged = false;
    while (!stopController.signal.aborted) {
      try {
        await freeRound(deps, stopController.signal);
        isLogged = false;
        wait.reset();
        await rest(fetchEvery * (1 - jitter + 2 * jitter * random()), stopController.signal);
      } catch (err) {
        if (stopController.signal.aborted) return;
        if (!isLogged) log(`The newest definitions are not in force (${err instanceof Error ? err.message : String(err)}). Trying again.`);
        isLogged = true;
        await rest(wait.failed(retryAfter(err)), stopController.signal);
      }
    }
  };
  const looping = loop();
  return {
    close() {
      stopController.abort();
      return looping;
    },
  };
}

/** Fetches, verifies and persists definitions before they come into force; an older set is never accepted (P4.2). */
async function freeRound(deps: FreePlanDeps, stop: AbortSignal): Promise<void> {
  const { store, call, known, changed } = deps;
  await unlessStopped(pinKeys({ store, call }), stop);
  const chain = await store.chain();
  const query = { known: versionIn(chain, known()), known_keys: chain?.keys.version ?? 0, known_epoch: chain?.keys.epoch ?? 1 };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(30_000)]);
  const { definitions: offered } = await call('GET /agent/free-plan', { query }, { signal });
  if (!offered) return;
  // A computer that was linked meanwhile fetches definitions as a device: nothing is persisted here.
  const set = await acceptFeed(deps, offered, stop).catch((err: unknown) => {
    if (err instanceof FeedRefused && err.reason === 'set_same') return null;
    throw err;
  });
  if (set) changed(set);
}

/** Rejects when `stop` is aborted. `work` continues, because other callers share it. */
function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const stopped = new Promise<never>((_resolve, reject) =>
    stop.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  );
  return Promise.race([work, stopped]);
}

const restFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});
