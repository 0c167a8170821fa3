import { day } from '@porchlight/contract/time.ts';
import { checkPart, checkSites, openFeed, sha256Of } from '@porchlight/definitions/feed.ts';
import type { FeedPart } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes } from '@porchlight/definitions/feed-make.ts';
import { type Offer, refusalOf } from '@porchlight/definitions/feed-offer.ts';
import { FeedRefused } from '@porchlight/definitions/feed-refused.ts';
import { type Recognition, readRecognition } from '@porchlight/definitions/recognition.ts';
import type { FetchList } from '../../integrations/lists/lists.ts';
import type { Kernel } from '../../kernel.ts';
import type { TakenSet, UpstreamRow, UpstreamStore } from './upstream-store.ts';

/** After this long a set gives way to what a newer version of the server ships with. */
export const upstream_old = 30 * day;

/** Where the project publishes its feed: the address of a folder, and the root key that is pinned. */
export interface UpstreamSettings {
  url: string;
  root: string;
}

export interface UpstreamDeps extends Pick<Kernel, 'clock'>, UpstreamSettings {
  log: { warn(o: object, m: string): void };
  fetchList: FetchList;
  store: UpstreamStore;
}

class ContentRefused extends Error {
  readonly set: string;

  /** `set`: SHA-256 of its signed text. */
  constructor(sentence: string, set: string) {
    super(sentence);
    this.set = set;
  }
}

/** What is wrong with the feed as it was last fetched, for the operator; null if nothing is. A fetch that failed is nothing yet. */
export function feedTrouble(row: UpstreamRow | undefined, now: Date): string | null {
  if (!row) return null;
  if (row.refused !== null && row.refused !== row.accepted) return `its newest set was refused: ${row.problem}`;
  const isOld = !row.fetched || now.getTime() - row.fetched.getTime() > upstream_old;
  const asOf = row.fetched ? `what was fetched is of ${row.fetched.toISOString().slice(0, 10)}` : 'it was never fetched';
  return isOld ? `${asOf}${row.problem ? `: ${row.problem}` : ''}` : null;
}

/** The set that counts: of the feed, or what this version ships with where that is newer. */
export function chosenSet(taken: TakenSet | null, shipped: Recognition, now: Date): TakenSet | null {
  if (!taken) return null;
  const isOld = now.getTime() - taken.issued.getTime() > upstream_old;
  return isOld && taken.shipped !== sha256Of(catalogueBytes(shipped)) ? null : taken;
}

export type Upstream = ReturnType<typeof upstream>;

/** Fetches the definitions that the project publishes (P16.1). Its host learns an address, and nothing else. */
export function upstream({ clock, log, fetchList, store, url, root }: UpstreamDeps) {
  const folder = url.endsWith('/') ? url.slice(0, -1) : url;
  const nothing = { etag: null, last_modified: null };

  const fetchPart = async (part: FeedPart, stop: AbortSignal): Promise<Buffer> => {
    const fetched = await fetchList(`${folder}/parts/${part.sha256}`, nothing, stop);
    if (fetched.state === 'unchanged') throw new Error('its server answered 304 to a first question');
    return checkPart(fetched.body, part);
  };

  const takeNewest = async (shipped: Offer, stop: AbortSignal): Promise<void> => {
    const state = await store.state(url);
    const fetched = await fetchList(`${folder}/feed.json`, { etag: state?.etag ?? null, last_modified: null }, stop);
    if (fetched.state === 'unchanged') return store.unchanged(url);
    const newest = await store.newest();
    const offered = openFeed(root, newest, parsed(fetched.body), clock.now());
    const { catalogue, sites } = offered.set;
    const bytes = { catalogue: await fetchPart(catalogue, stop), sites: sites && checkSites(await fetchPart(sites, stop)) };
    const inForce = chosenSet(await store.inForce(), shipped.recognition, clock.now()) ?? shipped;
    const set = sha256Of(Buffer.from(offered.feed.set.payload, 'utf8'));
    const refusal = refusalOf(inForce, { recognition: recognitionIn(bytes.catalogue), sites: bytes.sites }, state?.accepted === set);
    if (refusal) throw new ContentRefused(refusal, set);
    await store.take(offered, bytes, sha256Of(catalogueBytes(shipped.recognition)));
    await store.good(url, fetched.etag);
  };

  return {
    url,
    trouble: async (): Promise<string | null> => feedTrouble(await store.state(url), clock.now()),
    /** Takes a newer set, or stores why none was taken; the last good one stays in force. */
    async fetch(shipped: Offer, stop: AbortSignal): Promise<void> {
      try {
        await takeNewest(shipped, stop);
      } catch (err) {
        if (stop.aborted) return;
        if (err instanceof FeedRefused && err.reason === 'set_same') return store.unchanged(url);
        const problem = err instanceof Error ? err.message : String(err);
        if (problem !== (await store.state(url))?.problem)
          log.warn({ feed: url, problem }, 'the definitions of the project were not taken');
        await store.failed(url, problem, err instanceof ContentRefused ? err.set : null);
      }
    },
    /** Whether the last try did not reach the feed, or none was made. */
    async isUnreached(): Promise<boolean> {
      const state = await store.state(url);
      return !state || (state.problem !== null && state.refused === null);
    },
    inForce: async (shipped: Recognition): Promise<TakenSet | null> => chosenSet(await store.inForce(), shipped, clock.now()),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function recognitionIn(bytes: Buffer): Recognition {
  try {
    return readRecognition(bytes);
  } catch {
    throw new FeedRefused('catalogue');
  }
}
