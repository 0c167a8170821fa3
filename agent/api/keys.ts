import { extendKeys, type KeyChain, releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import { refuseFeed } from '@porchlight/definitions/feed-refused.ts';
import type { Store } from '../state/store.ts';
import type { Call } from './call.ts';

export interface KeyDeps {
  store: Pick<Store, 'keys' | 'chain' | 'saveChain'>;
  call: Call;
  now: () => Date;
}

/**
 * Fetches, verifies and persists the key lists newer than the stored ones, and returns the key chain in force. Throws `FeedRefused` or an
 * error of the call; then nothing has changed.
 */
export async function takeKeys({ store, call, now }: KeyDeps, signal?: AbortSignal): Promise<KeyChain | null> {
  const [pinned, stored] = [await store.keys(), await store.chain()];
  if (!pinned) return stored;
  const query = { known_keys: stored?.keys.version ?? 0, known_epoch: stored?.keys.epoch ?? 1 };
  const { keys: offered } = await call('GET /agent/keys', { query }, signal ? { signal } : {});
  if (!offered.length) return stored;
  const newChain = extendKeys(pinned.keys.definitions, stored?.documents ?? [], offered);
  if (newChain.documents.length === stored?.documents.length) return stored;
  if (Date.parse(newChain.keys.expires) <= now().getTime()) return refuseFeed('keys_expired');
  await store.saveChain(newChain.documents);
  return newChain;
}

/** As `takeKeys`, but after a failure it returns the stored chain. */
export async function newestKeys(deps: KeyDeps): Promise<KeyChain | null> {
  return takeKeys(deps).catch(() => deps.store.chain());
}

export async function releaseKeyNow(deps: KeyDeps, built: string): Promise<string> {
  return releaseKeyAfter(built, (await newestKeys(deps))?.lists ?? []);
}
