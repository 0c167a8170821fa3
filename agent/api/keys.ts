import { extendKeys, type KeyChain, releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import { refuseFeed } from '@porchlight/definitions/feed-refused.ts';
import type { Store } from '../state/store.ts';
import type { Call } from './call.ts';

export interface KeyDeps {
  store: Pick<Store, 'keys' | 'chain' | 'keepChain'>;
  call: Call;
  now: () => Date;
}

/**
 * Fetches the key lists after the last known one, follows and persists them, and answers the chain in force. Throws `FeedRefused` when they cannot be
 * followed, or an error of the call; then nothing has changed.
 */
export async function takeKeys({ store, call, now }: KeyDeps, signal?: AbortSignal): Promise<KeyChain | null> {
  const [pinned, held] = [await store.keys(), await store.chain()];
  if (!pinned) return held;
  const query = { known_keys: held?.keys.version ?? 0, known_epoch: held?.keys.epoch ?? 1 };
  const { keys: offered } = await call('GET /agent/keys', { query }, signal ? { signal } : {});
  if (!offered.length) return held;
  const next = extendKeys(pinned.keys.definitions, held?.documents ?? [], offered);
  if (next.documents.length === held?.documents.length) return held;
  if (Date.parse(next.keys.expires) <= now().getTime()) return refuseFeed('keys_expired');
  await store.keepChain(next.documents);
  return next;
}

/** As `takeKeys`, for callers that can do without: a failure changes nothing. */
export async function newestKeys(deps: KeyDeps): Promise<KeyChain | null> {
  return takeKeys(deps).catch(() => deps.store.chain());
}

/** The key that signs updates now, for a program that was built with this release key. */
export async function releaseKeyNow(deps: KeyDeps, built: string): Promise<string> {
  return releaseKeyAfter(built, (await newestKeys(deps))?.lists ?? []);
}
