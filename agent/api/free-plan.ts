import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedTime } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { FeedRefused } from '@porchlight/definitions/feed-refused.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
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
  const nonce = randomBytes(16).toString('base64url');
  const knownVersions = { known: versionIn(chain, known()), known_keys: chain?.keys.version ?? 0, known_epoch: chain?.keys.epoch ?? 1 };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(30_000)]);
  const { definitions: offered, time } = await call('GET /agent/free-plan', { query: { ...knownVersions, nonce } }, { signal });
  if (!offered) return;
  const listedKeys = chain?.keys.policy ?? [];
  const pinnedKey = { public_key: (await store.keys())?.keys.policy ?? '', until: null };
  const serverTime = time && serverTimeIn(time, nonce, listedKeys.length ? listedKeys : [pinnedKey]);
  // A computer that was linked meanwhile fetches definitions as a device: nothing is persisted here.
  const set = await acceptFeed(serverTime ? { ...deps, now: () => serverTime } : deps, offered, stop).catch((err: unknown) => {
    if (err instanceof FeedRefused && err.reason === 'set_same') return null;
    throw err;
  });
  if (set) changed(set);
}

/** Signed for this call alone, so it cannot be an earlier answer. Null when no key signed it that was good at that time. */
function serverTimeIn(document: SignedDocument, nonce: string, keys: { public_key: string; until: string | null }[]): Date | null {
  for (const { public_key, until } of keys) {
    const opened = openDocument(document, public_key, signedTime);
    if (opened?.nonce === nonce && (until === null || opened.time < until)) return new Date(opened.time);
  }
  return null;
}

/** Rejects when `stop` is aborted. `work` continues, because other callers share it. */
function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const stopped = new Promise<never>((_resolve, reject) =>
    stop.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  );
  return Promise.race([work, stopped]);
}

const restFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});
