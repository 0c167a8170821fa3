import { createHash } from 'node:crypto';
import { day, hour } from '@porchlight/contract/time.ts';
import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import type { FirstList } from '@porchlight/definitions/first-list.ts';
import type { Keep } from '@porchlight/definitions/importers/keep.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import type { FetchList } from '../../integrations/lists/lists.ts';
import type { JobHandlers } from '../../jobs/worker.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { keepNames, mergeLists } from './merge-lists.ts';
import { queueFetch } from './queue-fetch.ts';
import { readSiteList } from './read-site-list.ts';
import { firstListName, type SiteListStore } from './site-lists.ts';
import type { DefinitionStore } from './store.ts';
import type { Upstream } from './upstream.ts';

export interface FeedDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'forgetJobs'> {
  log: { warn(o: object, m: string): void };
  fetchList: FetchList;
  lists: PublishedList[];
  /** Reads the list that ships with the server; null where the operator left it out. */
  firstList: (() => FirstList) | null;
  store: SiteListStore;
  definitions: Pick<DefinitionStore, 'publish'>;
  /** What ships with this version of the server. */
  shipped: Recognition;
  /** The project's feed; null without one. */
  upstream: Upstream | null;
}

const utcHour = 9;

/** Fetches the site lists daily and publishes changes and renewals. All servers share one job, which queues the next one. */
export function feeds(deps: FeedDeps) {
  const { db, clock, log, enqueue, store, lists, firstList, definitions, shipped, upstream } = deps;
  const [keepLists, blockingLists] = [lists.filter(({ format }) => format === 'keep'), lists.filter(({ format }) => format !== 'keep')];

  const configuredUrls = [...lists.map(({ url }) => url), ...(firstList ? [firstListName] : [])];

  const stopController = new AbortController();
  const queueAt = (time: Date, reason: string) => queueFetch(enqueue, db, time, reason);
  const queueNext = () => {
    const nextRun = new Date(clock.now());
    nextRun.setUTCHours(utcHour, 0, 0, 0);
    return queueAt(nextRun > clock.now() ? nextRun : after(nextRun, day), 'day');
  };
  /** Servers retry together, because a retry is queued for the full hour. */
  const queueRetry = () => queueAt(new Date(Math.ceil((clock.now().getTime() + 1) / hour) * hour), 'retry');

  /** What the feed brought, or what ships. A list of sites of the feed takes the place of the first list; which source had a name is not in it. */
  const inForce = async (): Promise<{ recognition: Recognition; first: FirstList | null }> => {
    const [taken, first] = [await upstream?.inForce(shipped), firstList?.() ?? null];
    if (!taken) return { recognition: shipped, first };
    const { recognition, sites, issued } = taken;
    return { recognition, first: first && sites ? { ...first, bytes: sites, marks: new Uint16Array(), as_of: issued } : first };
  };

  /** Lists are read one after the other, because the names of all would need a lot of memory at the same time. */
  let reading = Promise.resolve();
  const inTurn = (read: () => Promise<void>): Promise<void> => {
    const done = reading.then(read);
    reading = done.catch(() => {});
    return done;
  };

  const fetchOne = async (list: PublishedList, keep: Keep): Promise<void> => {
    const storedList = await store.find(list.url);
    const cacheHeaders = { etag: storedList?.etag ?? null, last_modified: storedList?.last_modified ?? null };
    try {
      const fetched = await deps.fetchList(list.url, cacheHeaders, stopController.signal);
      if (fetched.state === 'unchanged') return await store.unchanged(list.url);
      const { body, type, etag, last_modified } = fetched;
      await inTurn(async () => {
        const names = await readSiteList({ body, type, format: list.format, countBefore: storedList?.count ?? 0, keep });
        await store.keep(list.url, { ...names, etag, last_modified });
      });
    } catch (err) {
      if (stopController.signal.aborted) return;
      const problem = err instanceof Error ? err.message : String(err);
      if (problem !== storedList?.problem)
        log.warn({ list: list.url, problem }, 'a list of sites was not taken; its last good state stays in force');
      await store.failed(list.url, problem);
    }
  };

  const run = async (): Promise<void> => {
    await upstream?.fetch({ recognition: shipped, sites: firstList?.().bytes ?? null }, stopController.signal);
    // At the same time, because where there is no internet each fetch may take as long as its limit.
    await Promise.all(keepLists.map((list) => fetchOne(list, new Set())));
    const { keep } = await keepNames(store, keepLists);
    await Promise.all(blockingLists.map((list) => fetchOne(list, keep)));
    // The server ends: the next one fetches what is missing.
    if (stopController.signal.aborted) return void (await queueAt(clock.now(), 'stopped'));
    await store.forgetOthers(configuredUrls);
    await publishNow(true);
    if ((await upstream?.isUnreached()) || (await store.all()).some(({ fetched }) => fetched === null)) await queueRetry();
  };

  /** `merges`: the lists of sites once more; otherwise the published one stays. */
  const publishNow = async (merges: boolean): Promise<void> => {
    const { recognition, first } = await inForce();
    if (!merges) return void (await definitions.publish({ recognition }));
    const { sites, fromFirst } = await mergeLists({ store, lists, first, now: clock.now() });
    await definitions.publish({ recognition, ...(sites === undefined ? {} : { sites }) });
    if (first) await store.keepFirst({ etag: etagOf(first), count: fromFirst, as_of: first.as_of });
  };

  /** Whether other lists are configured than at the last run. */
  const hasChanged = async (): Promise<boolean> => {
    const storedUrls = (await store.all()).map(({ url }) => url);
    return configuredUrls.length !== storedUrls.length || configuredUrls.some((url) => !storedUrls.includes(url));
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
    /** Ends a fetch that runs; another server, or this one after its restart, begins it again. */
    close: () => stopController.abort(),

    /**
     * Publishes the definitions of this version of the server, and the sites known by now if the configuration or the first list is another one
     * than before.
     */
    async publishAtStart(): Promise<void> {
      const { first } = await inForce();
      const isNewFirst = (await store.find(firstListName))?.etag !== (first ? etagOf(first) : undefined);
      await publishNow(isNewFirst || (await hasChanged()));
    },

    /** Queues the next daily run, and an immediate run if the configuration changed. */
    async queueNext(): Promise<void> {
      await queueNext();
      const configured = createHash('sha256')
        .update(JSON.stringify([lists, firstList !== null, upstream?.url]))
        .digest('hex')
        .slice(0, 16);
      if ((await hasChanged()) || (await upstream?.isUnreached())) await queueAt(clock.now(), configured);
    },
  };
}

/** A hash of the names and of their sources, which decide what of the list is in force. */
const etagOf = ({ bytes, marks }: FirstList): string => sha256Of(Buffer.concat([bytes, new Uint8Array(marks.buffer)]));
