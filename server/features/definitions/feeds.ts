import { createHash } from 'node:crypto';
import { importList, type ListFormat } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import { withParentDomains } from '@porchlight/definitions/sites/parent-domains.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { Db } from '../../db/open.ts';
import type { FetchList } from '../../integrations/lists/lists.ts';
import type { Enqueue, ForgetJobs } from '../../jobs/queue.ts';
import type { JobHandlers } from '../../jobs/worker.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { ListNames, SiteListStore } from './site-lists.ts';
import type { DefinitionStore } from './store.ts';

/** The format `keep` marks a list of sites that no other list may block, such as the most visited sites. */
export interface ConfiguredList {
  url: string;
  format: ListFormat | 'keep';
}

export interface FeedDeps {
  db: Db;
  clock: Clock;
  log: { warn(o: object, m: string): void };
  enqueue: Enqueue;
  forgetJobs: ForgetJobs;
  fetchList: FetchList;
  lists: ConfiguredList[];
  store: SiteListStore;
  definitions: Pick<DefinitionStore, 'publish'>;
}

const day = 86_400_000;
const utcHour = 9;
/** A list that loses a greater share of its names may be broken or hijacked, so the operator must check it. */
const maxLoss = 0.5;

/** Fetches the site lists daily and publishes changes and renewals. All servers share one job, which queues the next one. */
export function feeds(deps: FeedDeps) {
  const { db, clock, log, enqueue, store, lists, definitions } = deps;

  const queueAt = (time: Date, reason: string) =>
    enqueue(db, 'feed_day', `feed:${reason}:${time.toISOString()}`, { day: time.toISOString() }, time);
  const queueNext = () => {
    const nextRun = new Date(clock.now());
    nextRun.setUTCHours(utcHour, 0, 0, 0);
    return queueAt(nextRun > clock.now() ? nextRun : after(nextRun, day), 'day');
  };

  const fetchOne = async (list: ConfiguredList): Promise<void> => {
    const storedList = await store.find(list.url);
    const cacheHeaders = { etag: storedList?.etag ?? null, last_modified: storedList?.last_modified ?? null };
    try {
      const fetched = await deps.fetchList(list.url, cacheHeaders);
      if (fetched.state === 'unchanged') return await store.tried(list.url, null);
      const names = await namesIn(fetched.body, fetched.type, list.format);
      const lostShare = 1 - names.names.length / (storedList?.count || 1);
      if (storedList?.count && lostShare > maxLoss)
        throw new Error(`it has ${names.names.length} sites, and had ${storedList.count}: look at it first`);
      await store.keep(list.url, { ...names, etag: fetched.etag, last_modified: fetched.last_modified });
    } catch (err) {
      const problem = err instanceof Error ? err.message : String(err);
      log.warn({ list: list.url, problem }, 'a list of sites was not taken; its last good state stays in force');
      await store.tried(list.url, problem);
    }
  };

  const lastGoodOf = async (selectedLists: ConfiguredList[]): Promise<ListNames[]> =>
    (await Promise.all(selectedLists.map(({ url }) => store.names(url)))).filter((names) => names !== null);

  /** Merges all site lists. Undefined, which leaves the published list, when no list was ever good or a keep list is missing. */
  const mergeLists = async (): Promise<Uint8Array | null | undefined> => {
    const [keeping, blocking] = [lists.filter(({ format }) => format === 'keep'), lists.filter(({ format }) => format !== 'keep')];
    if (blocking.length === 0) return null;
    const [keepNames, goodLists] = [await lastGoodOf(keeping), await lastGoodOf(blocking)];
    if (goodLists.length === 0 || keepNames.length < keeping.length) return undefined;
    const unblockable = new Set(goodLists.flatMap(({ exceptions }) => exceptions.flatMap(withParentDomains)));
    for (const { names } of keepNames) for (const name of names) unblockable.add(name);
    return buildSiteList(new Set(goodLists.flatMap(({ names }) => names.filter((name) => !unblockable.has(name)))));
  };

  const run = async (): Promise<void> => {
    for (const list of lists) await fetchOne(list);
    await store.forgetOthers(lists.map(({ url }) => url));
    const sites = await mergeLists();
    await definitions.publish(sites === undefined ? {} : { sites });
  };

  const handlers: Pick<JobHandlers, 'feed_day'> = {
    feed_day: async () => {
      // The next run is queued first, so that a failure does not end the daily job.
      await queueNext();
      await deps.forgetJobs('feed_day', after(clock.now(), -2 * day));
      await run();
    },
  };

  return {
    handlers,
    queueNextDay: queueNext,
    /** Queues the next daily run, and an immediate run if the configuration changed. */
    async queueNext(): Promise<void> {
      await queueNext();
      const storedUrls = (await store.all()).map(({ url }) => url);
      const hasChanged = lists.length !== storedUrls.length || lists.some(({ url }) => !storedUrls.includes(url));
      const configured = createHash('sha256').update(JSON.stringify(lists)).digest('hex').slice(0, 16);
      if (hasChanged) await queueAt(clock.now(), configured);
    },
  };
}

/** The names in a list. Throws when it is a web page or contains no sites. */
async function namesIn(body: Buffer, type: string, format: ConfiguredList['format']): Promise<ListNames> {
  if (/^text\/html/i.test(type) || /^\s*<(!doctype|html)/i.test(body.subarray(0, 500).toString('utf8')))
    throw new Error('it is a page, and no list');
  if (format === 'keep') {
    const keepNames = await readKeep([body]);
    if (keepNames.size === 0) throw new Error('there is no site in it');
    return { names: [...keepNames], exceptions: [] };
  }
  const names = new Set<string>();
  const { report } = await importList([body], { format, keep: new Set(), entry: (host) => names.add(host) });
  const unblockable = new Set(report.exceptions.flatMap(withParentDomains));
  const remainingHosts = [...names].filter((name) => !unblockable.has(name));
  if (remainingHosts.length === 0) throw new Error('there is no site in it');
  return { names: remainingHosts, exceptions: report.exceptions };
}
