import { createHash } from 'node:crypto';
import { importList, type ListFormat } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import { withNamesAbove } from '@porchlight/definitions/sites/names-above.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { Db } from '../../db/open.ts';
import type { FetchList } from '../../integrations/lists/lists.ts';
import type { Enqueue, ForgetJobs } from '../../jobs/queue.ts';
import type { JobHandlers } from '../../jobs/worker.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { ListNames, SiteListStore } from './site-lists.ts';
import type { DefinitionStore } from './store.ts';

/** A list that the operator configured. `keep`: the most visited sites and whatever else no other list may block. */
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
/** In UTC: night where most of the people are. */
const hour = 9;
/** A list that loses more than this share of its names at once has lost its server, or its owner: a person looks at it first. */
const suspiciousLoss = 0.5;

/** Once a day: fetches the lists of sites, and publishes what is new or what would end. One job, however many servers there are; it queues the next one. */
export function feeds(deps: FeedDeps) {
  const { db, clock, log, enqueue, store, lists, definitions } = deps;

  const queueAt = (at: Date, why: string) => enqueue(db, 'feed_day', `feed:${why}:${at.toISOString()}`, { day: at.toISOString() }, at);
  const queueNext = () => {
    const next = new Date(clock.now());
    next.setUTCHours(hour, 0, 0, 0);
    return queueAt(next > clock.now() ? next : after(next, day), 'day');
  };

  const fetchOne = async (list: ConfiguredList): Promise<void> => {
    const before = await store.find(list.url);
    const known = { etag: before?.etag ?? null, last_modified: before?.last_modified ?? null };
    try {
      const fetched = await deps.fetchList(list.url, known);
      if (fetched.state === 'unchanged') return await store.tried(list.url, null);
      const names = await namesIn(fetched.body, fetched.type, list.format);
      const lost = 1 - names.names.length / (before?.count || 1);
      if (before?.count && lost > suspiciousLoss)
        throw new Error(`it has ${names.names.length} sites, and had ${before.count}: look at it first`);
      await store.keep(list.url, { ...names, etag: fetched.etag, last_modified: fetched.last_modified });
    } catch (err) {
      const problem = err instanceof Error ? err.message : String(err);
      log.warn({ list: list.url, problem }, 'a list of sites was not taken; its last good state stays in force');
      await store.tried(list.url, problem);
    }
  };

  const goodOf = async (these: ConfiguredList[]): Promise<ListNames[]> =>
    (await Promise.all(these.map(({ url }) => store.names(url)))).filter((names) => names !== null);

  /** All that is configured, as one list; undefined (what is published stays) while none of it was ever good, or nobody knows what is to be kept. */
  const together = async (): Promise<Uint8Array | null | undefined> => {
    const [keeping, blocking] = [lists.filter(({ format }) => format === 'keep'), lists.filter(({ format }) => format !== 'keep')];
    if (blocking.length === 0) return null;
    const [kept, good] = [await goodOf(keeping), await goodOf(blocking)];
    if (good.length === 0 || kept.length < keeping.length) return undefined;
    const alone = new Set(good.flatMap(({ exceptions }) => exceptions.flatMap(withNamesAbove)));
    for (const { names } of kept) for (const name of names) alone.add(name);
    return buildSiteList(new Set(good.flatMap(({ names }) => names.filter((name) => !alone.has(name)))));
  };

  const run = async (): Promise<void> => {
    for (const list of lists) await fetchOne(list);
    await store.forgetOthers(lists.map(({ url }) => url));
    const sites = await together();
    await definitions.publish(sites === undefined ? {} : { sites });
  };

  const handlers: Pick<JobHandlers, 'feed_day'> = {
    feed_day: async () => {
      // First of all, so that a day that fails is not the last one.
      await queueNext();
      await deps.forgetJobs('feed_day', after(clock.now(), -2 * day));
      await run();
    },
  };

  return {
    handlers,
    queueNextDay: queueNext,
    /** The next day's; and at once where the configuration has changed, so that nobody waits a night for a list. */
    async queueNext(): Promise<void> {
      await queueNext();
      const known = (await store.all()).map(({ url }) => url);
      const changed = lists.length !== known.length || lists.some(({ url }) => !known.includes(url));
      const configured = createHash('sha256').update(JSON.stringify(lists)).digest('hex').slice(0, 16);
      if (changed) await queueAt(clock.now(), configured);
    },
  };
}

/** The names of a list. Throws a sentence when it is a page, or empty, or not a list at all. */
async function namesIn(body: Buffer, type: string, format: ConfiguredList['format']): Promise<ListNames> {
  if (/^text\/html/i.test(type) || /^\s*<(!doctype|html)/i.test(body.subarray(0, 500).toString('utf8')))
    throw new Error('it is a page, and no list');
  if (format === 'keep') {
    const kept = await readKeep([body]);
    if (kept.size === 0) throw new Error('there is no site in it');
    return { names: [...kept], exceptions: [] };
  }
  const names = new Set<string>();
  const { report } = await importList([body], { format, keep: new Set(), entry: (host) => names.add(host) });
  const alone = new Set(report.exceptions.flatMap(withNamesAbove));
  const left = [...names].filter((name) => !alone.has(name));
  if (left.length === 0) throw new Error('there is no site in it');
  return { names: left, exceptions: report.exceptions };
}
