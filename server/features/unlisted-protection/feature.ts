import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { unlistedProtectionRoutes } from './routes.ts';
import { unlistedProtectionStore } from './store.ts';

type UnlistedAsks = Pick<Parameters<typeof unlistedProtectionRoutes>[1], 'mayRest'>;

/** What has no name: starts that wait for an answer, and banks that rest. */
export function unlistedProtectionFeature({ db, events }: Pick<Kernel, 'db' | 'events'>, asks: UnlistedAsks) {
  const store = unlistedProtectionStore(db);
  return {
    ports: {
      of: store.of,
      async change(trx: Trx, account: string, change: Parameters<typeof store.change>[2]) {
        await store.change(trx, account, change);
        await events.emit(trx, 'policy_changed', { account, device: null });
      },
    },
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) =>
      unlistedProtectionRoutes(http, { ...web, ...asks, events, store }),
  };
}
