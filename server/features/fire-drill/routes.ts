import { fireDrillEndpoints } from '@porchlight/contract/fire-drill.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Gates } from '../../http/gates.ts';
import type { FireDrills } from './drills.ts';

export function fireDrillRoutes(app: FastifyInstance, { gates, drills }: { gates: Gates; drills: FireDrills }): void {
  bind(app, gates, fireDrillEndpoints, {
    'POST /web/fire-drill': async ({ account }) => ({ uuid: await drills.start(account) }),
    'GET /web/fire-drill': async ({ account }) => ({ drill: await drills.last(account) }),
  });
}
