import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FetchTimes } from '@porchlight/definitions/first-list.ts';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** Names to block, and names the list excludes. */
export interface ListNames {
  names: string[];
  exceptions: string[];
}

export interface GoodList extends ListNames {
  etag: string | null;
  last_modified: string | null;
}

/** The name of the list that ships with the server, in the place of an address. */
export const firstListName = 'first';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

export function siteListStore(db: Db, clock: Clock) {
  const columns = ['url', 'etag', 'last_modified', 'count', 'fetched', 'tried', 'problem'] as const;
  return {
    all: () => db.selectFrom('site_lists').select(columns).orderBy('url').execute(),
    find: (url: string) => db.selectFrom('site_lists').select(columns).where('url', '=', url).executeTakeFirst(),

    async keep(url: string, { names, exceptions, etag, last_modified }: GoodList): Promise<void> {
      const now = clock.now();
      const packed = await pack(JSON.stringify({ names, exceptions }));
      const row = { etag, last_modified, names: packed, count: names.length, fetched: now, tried: now, problem: null };
      await db
        .insertInto('site_lists')
        .values({ url, ...row })
        .onConflict((oc) => oc.column('url').doUpdateSet(row))
        .execute();
    },

    /** When each list was last fetched well. */
    async fetchTimes(): Promise<FetchTimes> {
      const rows = await db.selectFrom('site_lists').select(['url', 'fetched']).execute();
      return new Map(rows.flatMap(({ url, fetched }) => (fetched ? [[url, fetched]] : [])));
    },

    /** Records the list that ships with the server. `count`: its names in force. `etag`: its SHA-256. `as_of`: the day of its newest source. */
    async keepFirst({ etag, count, as_of }: { etag: string; count: number; as_of: Date }): Promise<void> {
      const row = { etag, count, fetched: as_of, tried: clock.now(), problem: null };
      await db
        .insertInto('site_lists')
        .values({ url: firstListName, ...row })
        .onConflict((oc) => oc.column('url').doUpdateSet(row))
        .execute();
    },

    /** Accepts the next fetched state whatever its length. False where there is no such list. */
    async acceptAnyLength(url: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('site_lists')
        .set({ count: 0, etag: null, last_modified: null })
        .where('url', '=', url)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** The list's server answered that the last good list is still the newest one. */
    async unchanged(url: string): Promise<void> {
      const now = clock.now();
      await db.updateTable('site_lists').set({ fetched: now, tried: now, problem: null }).where('url', '=', url).execute();
    },

    /** Records a fetch that failed. The last good list stays. */
    async failed(url: string, problem: string): Promise<void> {
      const row = { tried: clock.now(), problem: problem.slice(0, 500) };
      await db
        .insertInto('site_lists')
        .values({ url, count: 0, ...row })
        .onConflict((oc) => oc.column('url').doUpdateSet(row))
        .execute();
    },

    /** The names in the last good list; null if the list was never good. */
    async names(url: string): Promise<ListNames | null> {
      const row = await db.selectFrom('site_lists').select('names').where('url', '=', url).executeTakeFirst();
      return row?.names ? (JSON.parse((await unpack(row.names)).toString('utf8')) as ListNames) : null;
    },

    forgetOthers: (urls: string[]) =>
      db
        .deleteFrom('site_lists')
        .$if(urls.length > 0, (q) => q.where('url', 'not in', urls))
        .execute(),
  };
}

/** In milliseconds. Lists are fetched once a day. */
const list_age_limit = 3 * 24 * 3_600_000;

/** The first list comes with the program, so its age is the program's. */
export const isOldList = ({ url, fetched }: Pick<SiteListRow, 'url' | 'fetched'>, now: Date): boolean =>
  url !== firstListName && (!fetched || now.getTime() - fetched.getTime() > list_age_limit);

/** Whether every list that is fetched is old, and when the newest was fetched. Null where there is none to fetch, or one is not old. */
export function allOldSince(lists: Pick<SiteListRow, 'url' | 'fetched'>[], now: Date): { fetched: Date | null } | null {
  const fetchedLists = lists.filter(({ url }) => url !== firstListName);
  if (!fetchedLists.length || !fetchedLists.every((list) => isOldList(list, now))) return null;
  const times = fetchedLists.flatMap(({ fetched }) => (fetched ? [fetched.getTime()] : []));
  return { fetched: times.length ? new Date(Math.max(...times)) : null };
}

export type SiteListStore = ReturnType<typeof siteListStore>;
export type SiteListRow = Awaited<ReturnType<SiteListStore['all']>>[number];
