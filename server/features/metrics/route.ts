import type { FastifyInstance } from 'fastify';
import { fail } from '../../lib/errors.ts';
import type { Metrics } from './metrics.ts';
import { hasToken } from './token.ts';

/** `/metrics` at the address of the server. Without a token it does not exist. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  if (token === null) return;
  app.get('/metrics', { schema: { hide: true } }, async ({ headers }, reply) => {
    if (!hasToken(headers.authorization, token)) fail('unauthorized');
    return reply
      .type(metrics.content_type)
      .header('cache-control', 'no-store')
      .send(await metrics.text());
  });
}
