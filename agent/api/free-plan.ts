import { setTimeout as sleep } from 'node:timers/promises';
import { FeedRefused } from '@porchlight/definitions/feed-refused.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import type { Log } from '../ports.ts';
import type { Store } from '../state/store.ts';
import { backOff } from './back-off.ts';
import { type Call, retryAfter } from './call.ts';
import { pinKeys } from './enrol.ts';
import { acceptFeed, type FeedDeps, versionIn } from './feed.ts';

/** A tenth more or less, so that computers switched on together do not fetch together. */
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
  /** Waits that long, or until the signal; a test has its own. */
  rest?: (ms: number, stop: AbortSignal) => Promise<void>;
}

/** Keeps the definitions of a computer without an account up to date: at once, and then every six hours. */
export function startFreePlan(parts: FreePlanDeps): { close(): Promise<void> } {
  const { random, log, rest = restFor } = parts;
  const stop = new AbortController();
  const loop = async () => {
    const wait = backOff(random, firstRetry, lastRetry);
    let told = false;
    while (!stop.signal.aborted) {
      try {
        await freeRound(parts, stop.signal);
        told = false;
        wait.reset();
        await rest(fetchEvery * (1 - jitter + 2 * jitter * random()), stop.signal);
      } catch (err) {
        if (stop.signal.aborted) return;
        if (!told) log(`The newest definitions are not in force (${err instanceof Error ? err.message : String(err)}). Trying again.`);
        told = true;
        await rest(wait.failed(retryAfter(err)), stop.signal);
      }
    }
  };
  const looping = loop();
  return {
    close() {
      stop.abort();
      return looping;
    },
  };
}

/** Fetches, verifies, persists, and only then puts in force; never an older set than the one in force (P4.2). */
async function freeRound(parts: FreePlanDeps, stop: AbortSignal): Promise<void> {
  const { store, call, known, changed } = parts;
  await unlessStopped(pinKeys({ store, call }), stop);
  const chain = await store.chain();
  const query = { known: versionIn(chain, known()), known_keys: chain?.keys.version ?? 0, known_epoch: chain?.keys.epoch ?? 1 };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(30_000)]);
  const { definitions: offered } = await call('GET /agent/free-plan', { query }, { signal });
  if (!offered) return;
  // A computer that becomes a device meanwhile fetches them as one: nothing is persisted.
  const set = await acceptFeed(parts, offered, stop).catch((err: unknown) => {
    if (err instanceof FeedRefused && err.reason === 'set_same') return null;
    throw err;
  });
  if (set) changed(set);
}

/** Others wait for the keys too, so the call continues; this waiter stops. */
function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const stopped = new Promise<never>((_resolve, reject) =>
    stop.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  );
  return Promise.race([work, stopped]);
}

const restFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});
