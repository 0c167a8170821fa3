import { fireDrillEndpoints } from '@porchlight/contract/fire-drill.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import type { Gates } from '../../http/gates.ts';
import type { Kernel } from '../../kernel.ts';
import { type DrillDeps, type FireDrills, fireDrills } from './drills.ts';

interface FireDrillAsks extends Pick<DrillDeps, 'deliveriesOf'> {
  isInIncident(account: string, trx: Trx): Promise<boolean>;
  countOpenRequests(trx: Trx, account: string): Promise<number>;
  hasStoppedSince(account: string, since: Date, trx: Trx): Promise<boolean>;
}

/** An alert for practice. */
export function fireDrillFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'limit' | 'notify'>, asks: FireDrillAsks) {
  const drills = fireDrills({
    ...{ ...kernel, ...asks },
    isRealNear: async (account, stoppedSince, trx) =>
      (await asks.isInIncident(account, trx)) ||
      (await asks.countOpenRequests(trx, account)) > 0 ||
      (await asks.hasStoppedSince(account, stoppedSince, trx)),
  });
  return { routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) => fireDrillRoutes(http, { gates, drills }) };
}

function fireDrillRoutes(app: FastifyInstance, { gates, drills }: { gates: Gates; drills: FireDrills }): void {
  bind(app, gates, fireDrillEndpoints, {
    'POST /web/fire-drill': async ({ account }) => ({ uuid: await drills.start(account) }),
    'GET /web/fire-drill': async ({ account }) => ({ drill: await drills.last(account) }),
  });
}
