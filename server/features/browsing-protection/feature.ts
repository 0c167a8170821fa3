import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { type BrowsingProtectionDeps, browsingProtectionRoutes } from './routes.ts';
import { browsingProtectionStore } from './store.ts';

/** Scam sites and what browsers may change. */
export function browsingProtectionFeature({ db }: Pick<Kernel, 'db'>, { policiesChange }: Pick<BrowsingProtectionDeps, 'policiesChange'>) {
  const store = browsingProtectionStore(db);
  return {
    ports: {
      of: store.of,
      async change(trx: Trx, account: string, change: Parameters<typeof store.change>[2]) {
        await store.change(trx, account, change);
        await policiesChange(trx, account);
      },
    },
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) =>
      browsingProtectionRoutes(http, { ...web, store, policiesChange }),
  };
}
