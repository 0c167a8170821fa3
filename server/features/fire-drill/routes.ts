import { careEndpoints } from '@porchlight/contract/care.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import type { Gates } from '../../lib/gates.ts';
import type { FireDrills } from './drills.ts';

const endpoints = {
  'POST /web/fire-drill': careEndpoints['POST /web/fire-drill'],
  'GET /web/fire-drill': careEndpoints['GET /web/fire-drill'],
};

export function fireDrillRoutes(app: FastifyInstance, { gates, drills }: { gates: Gates; drills: FireDrills }): void {
  bind(app, gates, endpoints, {
    'POST /web/fire-drill': async ({ account }) => ({ uuid: await drills.start(account) }),
    'GET /web/fire-drill': async ({ account }) => ({ drill: await drills.last(account) }),
  });
}
