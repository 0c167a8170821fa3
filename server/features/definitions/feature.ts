import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { mayRest } from '@porchlight/definitions/money/money-sites.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { type FeedDeps, feeds } from './feeds.ts';
import { reportStore } from './reports.ts';
import { definitionRoutes } from './routes.ts';
import { allOldSince, siteListStore } from './site-lists.ts';
import { definitionStore } from './store.ts';
import { type UpstreamDeps, type UpstreamSettings, upstream } from './upstream.ts';
import { upstreamStore } from './upstream-store.ts';

interface DefinitionAsks extends Pick<FeedDeps, 'fetchList' | 'firstList' | 'shipped'> {
  fetchFeed: UpstreamDeps['fetchList'];
  lists: PublishedList[];
  /** Null: only what ships counts. */
  upstream: UpstreamSettings | null;
}

/** What threats look like: what the server ships with, and lists of sites that it fetches. */
export function definitionFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'sealer' | 'enqueue' | 'forgetJobs'>,
  asks: DefinitionAsks,
) {
  const { db, clock, sealer } = kernel;
  const definitions = definitionStore(db, clock, sealer);
  const siteLists = siteListStore(db, clock);
  const upstreamFeed =
    asks.upstream &&
    upstream({ ...kernel, ...asks.upstream, fetchList: asks.fetchFeed, store: upstreamStore(db, clock, asks.upstream.root) });
  const feed = feeds({ ...kernel, ...asks, definitions, store: siteLists, upstream: upstreamFeed });
  return {
    ports: {
      definitions,
      helpOf: helpIn(definitions.inForce),
      reportWrong: reportStore(db, clock).add,
      /** Whether programs of a definition can be allowed. */
      async allowable(connection?: Trx) {
        const allowed = (await definitions.inForce(connection)).filter(({ allowlistable }) => allowlistable);
        const identifiers = new Set(allowed.map(({ identifier }) => identifier));
        return (identifier: string) => identifiers.has(identifier);
      },
      /** Null without a feed. */
      feedTrouble: upstreamFeed?.trouble ?? null,
      /** Whether a website may rest by the set in force. */
      async restable(connection?: Trx) {
        const listed = await definitions.moneyInForce(connection);
        return (site: string) => mayRest(site, listed);
      },
      oldLists: async () => allOldSince(await siteLists.all(), clock.now()),
    },
    jobs: feed.handlers,
    feed,
    routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) => definitionRoutes(http, { gates, definitions }),
  };
}

function helpIn(inForce: () => Promise<Definition[]>) {
  return async (identifiers: string[]): Promise<Map<string, Definition['help']>> => {
    const requested = new Set(identifiers);
    return new Map(
      (await inForce()).filter(({ identifier }) => requested.has(identifier)).map(({ identifier, help }) => [identifier, help]),
    );
  };
}
