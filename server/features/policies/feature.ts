import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { type PolicyDeps, policyRoutes } from './routes.ts';
import { ownProfileInPolicy, policyStore } from './store.ts';

/** Profiles: what a computer stops. */
export function policyFeature({ db, clock }: Pick<Kernel, 'db' | 'clock'>, { profileChanged }: Pick<PolicyDeps, 'profileChanged'>) {
  const store = policyStore(db, clock);
  return {
    ports: {
      inPolicy: ownProfileInPolicy,
      lockProfile: store.lockProfile,
      stopsLess: store.stopsLess,
      async blockAll(trx: Trx, account: string, profile: string) {
        await store.blockAll(trx, account, profile);
        await profileChanged(trx, account, profile, profile);
      },
    },
    routes: (http: FastifyInstance, asks: Omit<PolicyDeps, 'db' | 'store' | 'profileChanged'>) =>
      policyRoutes(http, { ...asks, db, store, profileChanged }),
  };
}
