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
 * Verifies what the server offers, fetches and checks its parts, keeps all of it, and answers what is to be in force. Throws
 * `FeedRefused`, or what the network threw; then nothing has changed.
 */
export async function acceptFeed(parts: FeedDeps, offered: SignedFeed, signal: AbortSignal): Promise<DefinitionSet> {
  const { store, fetchPart, now } = parts;
  const pinned = await store.keys();
  if (!pinned) throw new Error('the keys of the server are missing');
  const held = await store.feed.held();
  const chain = await store.chain();
  const open = openFeed(pinned.keys.definitions, held && floorOf(held), offered, now(), chain?.documents);
  const { set } = open;
  // Before anything is fetched: a key that is not good any more is not, whatever becomes of the rest.
  await store.keepChain(open.feed.keys);
  const kept = held?.set.catalogue.sha256 === set.catalogue.sha256 ? held.parts?.catalogue : null;
  const catalogue = kept ?? (await fetchPart(set.catalogue, signal));
  const definitions = readCataloguePart(catalogue, set);
  const sites = set.sites && (await sitesFor(parts, set, set.sites, held, signal));
  signal.throwIfAborted();
  await store.feed.keep(open, { catalogue, sites });
  return definitions;
}

/** The list of sites: as it is held, or by the change to it, or else whole. */
async function sitesFor({ fetchPart }: FeedDeps, { deltas }: SetPayload, next: FeedPart, held: HeldFeed | null, signal: AbortSignal) {
  const [base, before] = [held?.parts?.sites, held?.set.sites?.sha256];
  if (base && before === next.sha256) return base;
  const delta = deltas.find(({ from }) => from === before);
  if (base && delta) {
    const changed = await fetchPart(delta, signal)
      .then((bytes) => checkPart(applySiteDelta(base, bytes), next))
      // Whatever is wrong with the change: the whole list does without it.
      .catch(() => null);
    if (changed) return changed;
  }
  return checkSites(await fetchPart(next, signal));
}

/** The version of a set whose parts are damaged may be had once more; an older one never. */
function floorOf({ parts, ...open }: HeldFeed): OpenFeed {
  return parts ? open : { ...open, set: { ...open.set, version: open.set.version - 0.5 } };
}

/** The version of the definitions that are known, in the epoch that is known; 0 for those of an epoch before. */
export const versionIn = (chain: KeyChain | null, known: DefinitionSet | null): number =>
  known && (known.epoch ?? 1) === (chain?.keys.epoch ?? 1) ? known.version : 0;

/** In milliseconds: how long a version that was refused is not asked for again. What hindered it may have been on the way. */
const refusedFor = 5 * 60_000;

/** Remembers what was refused, so that it is said once, and holds up nothing else. */
export function refusedVersions(now: () => Date, log: Log) {
  let refused = { version: 0, until: 0 };
  let told = '';
  let toldOfKeys = '';
  return {
    /** The newest version that there is no use in asking for; 0 for none. */
    known: () => (refused.until > now().getTime() ? refused.version : 0),
    /** Whether there is no use in asking for this one. */
    isRefused: (version: number) => version === refused.version && refused.until > now().getTime(),
    /** Runs `take` on lists of keys, and answers `held` when they cannot be followed. Throws everything else. */
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
    /** Runs `take` on a version, and answers null when it is refused. Throws everything else. */
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
