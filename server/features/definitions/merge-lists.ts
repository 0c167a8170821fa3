import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import { isProtected } from '@porchlight/definitions/importers/keep.ts';
import { withParentDomains } from '@porchlight/definitions/sites/parent-domains.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { ListNames, SiteListStore } from './site-lists.ts';

/** The last good state of each list. */
export interface GoodLists {
  keep: Set<string>;
  /** Whether a keep list was never fetched. */
  keepIsMissing: boolean;
  blocking: ListNames[];
}

export async function lastGoodLists(store: Pick<SiteListStore, 'names'>, lists: PublishedList[]): Promise<GoodLists> {
  const lastGoodOf = async (selected: PublishedList[]): Promise<ListNames[]> =>
    (await Promise.all(selected.map(({ url }) => store.names(url)))).filter((names) => names !== null);
  const keepLists = lists.filter(({ format }) => format === 'keep');
  const keepNames = await lastGoodOf(keepLists);
  return {
    keep: new Set(keepNames.flatMap(({ names }) => names)),
    keepIsMissing: keepNames.length < keepLists.length,
    blocking: await lastGoodOf(lists.filter(({ format }) => format !== 'keep')),
  };
}

/**
 * Merges all lists into one. Fetched lists wait until every keep list was fetched once; the first list does not, because it was made with keep
 * lists. Null where no list is configured. Undefined, which leaves the published list, where none is good yet.
 */
export function mergeLists(lists: PublishedList[], good: GoodLists, first: Uint8Array | null): Uint8Array | null | undefined {
  if (!first && lists.every(({ format }) => format === 'keep')) return null;
  const blocking = good.keepIsMissing ? [] : good.blocking;
  if (!first && blocking.length === 0) return undefined;
  const unblockable = new Set([...good.keep, ...blocking.flatMap(({ exceptions }) => exceptions.flatMap(withParentDomains))]);
  return buildSiteList(new Set(blocking.flatMap(({ names }) => names.filter((name) => !isProtected(name, unblockable)))), {
    merged: first ? [first] : [],
    without: [...unblockable].flatMap((name) => [name, `www.${name}`]),
  });
}
