import type { FastifyInstance } from 'fastify';
import { fail } from '../lib/errors.ts';

/** Routes of the contract that a server with this role answers; others answer all. Probes and metrics are always answered. */
const routesOf: Record<string, string[]> = { gateway: ['/api/agent/changes'], worker: [] };
const alwaysAnswered = ['/healthz', '/readyz', '/metrics'];

/** A call that the load balancer should have sent to another server is not found here. */
export function serveOnly(app: FastifyInstance, role: string): void {
  const routes = routesOf[role];
  if (!routes) return;
  const answered = new Set([...routes, ...alwaysAnswered]);
  app.directCalls.only(answered);
  app.addHook('onRequest', async ({ routeOptions, ownCall }) => {
    if (ownCall) return;
    if (!answered.has(routeOptions.url ?? '')) fail('not_found');
  });
}
