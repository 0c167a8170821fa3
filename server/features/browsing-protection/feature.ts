import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { browsingProtectionRoutes } from './routes.ts';
import { browsingProtectionStore } from './store.ts';

/** Scam sites and what browsers may change. */
export function browsingProtectionFeature({ db, events }: Pick<Kernel, 'db' | 'events'>) {
  const store = browsingProtectionStore(db);
  return {
    ports: {
      of: store.of,
      async change(trx: Trx, account: string, change: Parameters<typeof store.change>[2]) {
        await store.change(trx, account, change);
        await events.emit(trx, 'policy_changed', { account, device: null });
      },
    },
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) => browsingProtectionRoutes(http, { ...web, store, events }),
  };
}
