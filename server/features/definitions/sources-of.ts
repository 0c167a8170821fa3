import { type FirstList, sourcesInFirst } from '@porchlight/definitions/first-list.ts';
import type { NeverBlock } from '@porchlight/definitions/sites/never-block.ts';
import { nearestParent } from '@porchlight/definitions/sites/parent-domains.ts';
import { findListed } from '@porchlight/definitions/sites/rules.ts';
import { readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { firstListName, type SiteListRow, type SiteListStore } from './site-lists.ts';

export interface SourcesOfSite {
  /** The listed name by which agents block the site now. */
  blockedBy: string | null;
  /** Fetched lists that have the site or a name above it, as `name`. */
  lists: (Pick<SiteListRow, 'url' | 'fetched'> & { name: string })[];
  /** `sources` is empty where nobody knows which source had it. */
  first: { as_of: Date; name: string; sources: string[]; isInForce: boolean } | null;
}

interface ToSearch {
  store: Pick<SiteListStore, 'all' | 'names'>;
  /** The list that agents get. */
  published: Uint8Array | null;
  first: FirstList;
  /** What no list blocks. */
  neverBlock: NeverBlock;
}

/** Which lists have a site. `host` is canonical. */
export async function sourcesOf(host: string, { store, published, first, neverBlock }: ToSearch): Promise<SourcesOfSite> {
  const lists: SourcesOfSite['lists'] = [];
  const rows = await store.all();
  // One after the other, because the names of all lists would need a lot of memory at the same time.
  for (const { url, fetched } of rows) {
    const names = new Set((await store.names(url))?.names);
    const name = nearestParent(host, (parent) => (names.has(parent) ? parent : undefined));
    if (name) lists.push({ url, fetched, name });
  }
  const inForce = published && readSiteList(published);
  const inFirst = rows.some(({ url }) => url === firstListName) ? sourcesInFirst(host, first) : null;
  return {
    blockedBy: inForce && findListed(host, inForce, neverBlock),
    lists,
    first: inFirst && { ...inFirst, as_of: first.as_of, isInForce: inForce?.find(host).includes(inFirst.name) ?? false },
  };
}
