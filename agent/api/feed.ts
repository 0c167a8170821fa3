import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { checkPart, checkSites, type OpenFeed, openFeed, readCataloguePart } from '@porchlight/definitions/feed.ts';
import type { KeyChain } from '@porchlight/definitions/feed-chain.ts';
import type { FeedPart, SetPayload } from '@porchlight/definitions/feed-format.ts';
import { FeedRefused } from '@porchlight/definitions/feed-refused.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { applySiteDelta } from '@porchlight/definitions/sites/site-delta.ts';
import type { Log } from '../ports.ts';
import type { StoredFeed } from '../state/feed-files.ts';
import type { Store } from '../state/store.ts';
import type { FetchPart } from './feed-parts.ts';

export interface FeedDeps {
  store: Pick<Store, 'keys' | 'feed' | 'chain' | 'saveChain'>;
  fetchPart: FetchPart;
  /** By this the age of a feed is judged: see `judgedBy` in policy-loop.ts. */
  now: () => Date;
}

/**
 * Verifies the offered feed, fetches and persists its parts, and returns the definitions. Throws `FeedRefused` or a network error; then no
 * definitions have changed.
 */
export async function acceptFeed(deps: FeedDeps, offered: SignedFeed, signal: AbortSignal): Promise<DefinitionSet> {
  const { store, fetchPart, now } = deps;
  const pinned = await store.keys();
  if (!pinned) throw new Error('the keys of the server are missing');
  const stored = await store.feed.load();
  const chain = await store.chain();
  const openedFeed = openFeed(pinned.keys.definitions, stored && floorOf(stored), offered, now(), chain?.documents);
  const { set } = openedFeed;
  // Keys come before the download of the parts, because a revocation must hold even if that download fails.
  await store.saveChain(openedFeed.feed.keys);
  const unchangedCatalogue = stored?.set.catalogue.sha256 === set.catalogue.sha256 ? stored.content?.catalogue : null;
  const catalogue = unchangedCatalogue ?? (await fetchPart(set.catalogue, signal));
  const definitions = readCataloguePart(catalogue, set);
  const sites = set.sites && (await sitesFor(deps, set, set.sites, stored, signal));
  signal.throwIfAborted();
  await store.feed.save(openedFeed, { catalogue, sites });
  return definitions;
}

async function sitesFor(
  { fetchPart }: FeedDeps,
  { deltas }: SetPayload,
  offeredPart: FeedPart,
  stored: StoredFeed | null,
  signal: AbortSignal,
) {
  const [base, storedSha256] = [stored?.content?.sites, stored?.set.sites?.sha256];
  if (base && storedSha256 === offeredPart.sha256) return base;
  const delta = deltas.find(({ from }) => from === storedSha256);
  if (base && delta) {
    const updatedSites = await fetchPart(delta, signal)
      .then((bytes) => checkPart(applySiteDelta(base, bytes), offeredPart))
      .catch(() => null);
    if (updatedSites) return updatedSites;
  }
  return checkSites(await fetchPart(offeredPart, signal));
}

/** A set with damaged parts may be fetched again in the same version, but an older version is never accepted. */
function floorOf({ content, ...open }: StoredFeed): OpenFeed {
  return content ? open : { ...open, set: { ...open.set, version: open.set.version - 0.5 } };
}

/** The version of the stored definitions; 0 when they belong to an earlier epoch. */
export const versionIn = (chain: KeyChain | null, knownSet: DefinitionSet | null): number =>
  knownSet && (knownSet.epoch ?? 1) === (chain?.keys.epoch ?? 1) ? knownSet.version : 0;

/** Milliseconds before a refused version is fetched again, in case it was damaged in transit. */
const refusedFor = 5 * 60_000;

/**
 * Remembers refused versions, so that each is logged once and does not delay other updates. `up`: milliseconds since boot; by a wall clock that
 * is ahead a version would stay refused until that date.
 */
export function refusedVersions(up: () => number, log: Log) {
  let lastRefused = { version: 0, until: Number.NEGATIVE_INFINITY };
  let lastLogged = '';
  let lastLoggedKeyReason = '';
  return {
    /** The refused version that must not be fetched again yet; 0 for none. */
    known: () => (lastRefused.until > up() ? lastRefused.version : 0),
    isRefused: (version: number) => version === lastRefused.version && lastRefused.until > up(),
    async unlessKeysRefused(take: () => Promise<KeyChain | null>, stored: KeyChain | null): Promise<KeyChain | null> {
      try {
        return await take();
      } catch (err) {
        if (!(err instanceof FeedRefused)) throw err;
        if (lastLoggedKeyReason !== err.reason)
          log(
            'The server has new keys that this computer cannot follow, so what they sign is not taken. What was in force stays in force.',
          );
        lastLoggedKeyReason = err.reason;
        return stored;
      }
    },
    async unlessRefused<T>(version: number, take: () => Promise<T>): Promise<T | null> {
      try {
        const result = await take();
        lastLogged = '';
        return result;
      } catch (err) {
        if (!(err instanceof FeedRefused)) throw err;
        lastRefused = { version, until: up() + refusedFor };
        if (lastLogged !== err.message) log(`Version ${version} of what we look for is not in force: ${err.message}.`);
        lastLogged = err.message;
        return null;
      }
    },
  };
}
