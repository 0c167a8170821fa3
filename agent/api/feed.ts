import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { checkPart, checkSites, type OpenFeed, openFeed, readCataloguePart } from '@porchlight/definitions/feed.ts';
import type { KeyChain } from '@porchlight/definitions/feed-chain.ts';
import type { FeedPart, SetPayload } from '@porchlight/definitions/feed-format.ts';
import { FeedRefused } from '@porchlight/definitions/feed-refused.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { applySiteDelta } from '@porchlight/definitions/sites/site-delta.ts';
import type { Log } from '../ports.ts';
import type { HeldFeed } from '../state/feed-files.ts';
import type { Store } from '../state/store.ts';
import type { FetchPart } from './parts.ts';

export interface FeedDeps {
  store: Pick<Store, 'keys' | 'feed' | 'chain' | 'keepChain'>;
  fetchPart: FetchPart;
  now: () => Date;
}

/**
 * Verifies the offered feed, fetches and checks its parts, persists it, and answers the definitions to put in force. Throws `FeedRefused`, or a
 * network error; then nothing has changed.
 */
export async function acceptFeed(parts: FeedDeps, offered: SignedFeed, signal: AbortSignal): Promise<DefinitionSet> {
  const { store, fetchPart, now } = parts;
  const pinned = await store.keys();
  if (!pinned) throw new Error('the keys of the server are missing');
  const held = await store.feed.held();
  const chain = await store.chain();
  const open = openFeed(pinned.keys.definitions, held && floorOf(held), offered, now(), chain?.documents);
  const { set } = open;
  // Before anything is fetched: a revoked key is revoked whatever becomes of the rest.
  await store.keepChain(open.feed.keys);
  const kept = held?.set.catalogue.sha256 === set.catalogue.sha256 ? held.parts?.catalogue : null;
  const catalogue = kept ?? (await fetchPart(set.catalogue, signal));
  const definitions = readCataloguePart(catalogue, set);
  const sites = set.sites && (await sitesFor(parts, set, set.sites, held, signal));
  signal.throwIfAborted();
  await store.feed.keep(open, { catalogue, sites });
  return definitions;
}

/** The site list: as stored, or by its delta, or fetched whole. */
async function sitesFor({ fetchPart }: FeedDeps, { deltas }: SetPayload, next: FeedPart, held: HeldFeed | null, signal: AbortSignal) {
  const [base, before] = [held?.parts?.sites, held?.set.sites?.sha256];
  if (base && before === next.sha256) return base;
  const delta = deltas.find(({ from }) => from === before);
  if (base && delta) {
    const changed = await fetchPart(delta, signal)
      .then((bytes) => checkPart(applySiteDelta(base, bytes), next))
      // A bad delta does not matter: the whole list does without it.
      .catch(() => null);
    if (changed) return changed;
  }
  return checkSites(await fetchPart(next, signal));
}

/** A set with damaged parts may be fetched again in the same version; an older one never. */
function floorOf({ parts, ...open }: HeldFeed): OpenFeed {
  return parts ? open : { ...open, set: { ...open.set, version: open.set.version - 0.5 } };
}

/** The version of the known definitions in the known epoch; 0 for those of an earlier epoch. */
export const versionIn = (chain: KeyChain | null, known: DefinitionSet | null): number =>
  known && (known.epoch ?? 1) === (chain?.keys.epoch ?? 1) ? known.version : 0;

/** For so long a refused version is not fetched again. It may have been damaged on the way. */
const refusedFor = 5 * 60_000;

/** Remembers refused versions, so that each is logged once and delays nothing else. */
export function refusedVersions(now: () => Date, log: Log) {
  let refused = { version: 0, until: 0 };
  let told = '';
  let toldOfKeys = '';
  return {
    /** The newest version that is not worth fetching; 0 for none. */
    known: () => (refused.until > now().getTime() ? refused.version : 0),
    isRefused: (version: number) => version === refused.version && refused.until > now().getTime(),
    /** Runs `take` on lists of keys, and answers `held` when they cannot be followed. Throws other errors. */
    async unlessKeysRefused(take: () => Promise<KeyChain | null>, held: KeyChain | null): Promise<KeyChain | null> {
      try {
        return await take();
      } catch (err) {
        if (!(err instanceof FeedRefused)) throw err;
        if (toldOfKeys !== err.reason)
          log(
            'The server has new keys that this computer cannot follow, so what they sign is not taken. What was in force stays in force.',
          );
        toldOfKeys = err.reason;
        return held;
      }
    },
    /** Runs `take` on a version, and answers null when it is refused. Throws other errors. */
    async unlessRefused<T>(version: number, take: () => Promise<T>): Promise<T | null> {
      try {
        const taken = await take();
        told = '';
        return taken;
      } catch (err) {
        if (!(err instanceof FeedRefused)) throw err;
        refused = { version, until: now().getTime() + refusedFor };
        if (told !== err.message) log(`Version ${version} of what we look for is not in force: ${err.message}.`);
        told = err.message;
        return null;
      }
    },
  };
}
