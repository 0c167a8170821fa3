import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { unlistedProtectionRoutes } from './routes.ts';
import { unlistedProtectionStore } from './store.ts';

type UnlistedAsks = Pick<Parameters<typeof unlistedProtectionRoutes>[1], 'restable'>;

/** What has no name: starts that wait for an answer, and banks that rest. */
export function unlistedProtectionFeature(kernel: Pick<Kernel, 'db' | 'events'>, asks: UnlistedAsks) {
  const store = unlistedProtectionStore(kernel);
  return {
    ports: store,
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) => unlistedProtectionRoutes(http, { ...web, ...asks, store }),
  };
}
