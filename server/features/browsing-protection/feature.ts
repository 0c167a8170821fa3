import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { browsingProtectionRoutes } from './routes.ts';
import { browsingProtectionStore } from './store.ts';

/** Scam sites and what browsers may change. */
export function browsingProtectionFeature(kernel: Pick<Kernel, 'db' | 'events'>) {
  const store = browsingProtectionStore(kernel);
  return {
    ports: store,
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) => browsingProtectionRoutes(http, { ...web, store }),
  };
}
