import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import { type FetchTimes, type FirstList, firstListInForce } from '@porchlight/definitions/first-list.ts';
import { hashStore } from '@porchlight/definitions/sites/hash-store.ts';
import { withParentDomains } from '@porchlight/definitions/sites/parent-domains.ts';
import { youngEntry } from '@porchlight/definitions/sites/young.ts';
import type { ListNames, SiteListStore } from './site-lists.ts';

interface ToMerge {
  store: Pick<SiteListStore, 'names' | 'fetchTimes'>;
  lists: PublishedList[];
  first: FirstList | null;
  now: Date;
}

interface MergedLists {
  /** Null where no list is configured. Undefined, which leaves the published list, where none is good yet. */
  sites: Uint8Array | null | undefined;
  /** How many names of the first list are in force. */
  fromFirst: number;
}

/** The names of all keep lists that were fetched. */
export async function keepNames(store: ToMerge['store'], lists: PublishedList[]): Promise<{ keep: Set<string>; isMissing: boolean }> {
  const keepLists = lists.filter(({ format }) => format === 'keep');
  const good = (await Promise.all(keepLists.map(({ url }) => store.names(url)))).filter((names) => names !== null);
  return { keep: new Set(good.flatMap(({ names }) => names)), isMissing: good.length < keepLists.length };
}

/**
 * Merges the last good state of all lists, and what is in force of the first list, into one. Fetched lists wait until every keep list was fetched
 * once; the first list does not, because it was made with keep lists.
 */
export async function mergeLists({ store, lists, first, now }: ToMerge): Promise<MergedLists> {
  const blocking = lists.filter(({ format }) => format !== 'keep');
  if (!first && blocking.length === 0) return { sites: null, fromFirst: 0 };
  const { keep, isMissing } = await keepNames(store, lists);
  const [merged, unblockable, fetched] = [hashStore(), new Set(keep), new Map<string, Date>()];
  const times: FetchTimes = isMissing ? new Map() : await store.fetchTimes();
  // One after the other, because the names of all lists would need a lot of memory at the same time.
  for (const { url, format } of blocking) {
    const [time, good] = [times.get(url), times.has(url) ? await store.names(url) : null];
    if (!time || !good) continue;
    fetched.set(url, time);
    if (format === 'young') for (const name of good.names) addYoung(name, merged.add, keep);
    else addList(good, merged.add, unblockable);
  }
  if (!first && fetched.size === 0) return { sites: undefined, fromFirst: 0 };
  const inForce = first && firstListInForce(first, fetched, now);
  if (inForce) merged.addHashes(inForce);
  return { sites: merged.list([...unblockable].flatMap((name) => [name, `www.${name}`])), fromFirst: inForce?.high.length ?? 0 };
}

function addList({ names, exceptions }: ListNames, add: (name: string) => void, unblockable: Set<string>): void {
  for (const name of names) add(name);
  for (const name of exceptions.flatMap(withParentDomains)) unblockable.add(name);
}

/** A keep list has what people need, however young it is. */
function addYoung(name: string, add: (name: string) => void, keep: Set<string>): void {
  const entry = youngEntry(name);
  if (entry.length <= 253 && !keep.has(name)) add(entry);
}
