import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { callMetrics } from './call-metrics.ts';
import { jobMetrics } from './job-metrics.ts';
import { type Metrics, type MetricsDeps, newRegistry, serverMetrics } from './metrics.ts';
import { hasToken } from './token.ts';

interface MetricsAsks extends Pick<MetricsDeps, 'traffic' | 'version' | 'data_dir' | 'processMetrics'> {
  token: string | null;
}

/** Figures for Prometheus. */
export function metricsFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'log'>, { token, ...asks }: MetricsAsks) {
  const registry = newRegistry();
  return {
    ports: { calls: callMetrics(registry), noteJob: jobMetrics(registry) },
    routes(http: FastifyInstance, late: Pick<MetricsDeps, 'agentsWaiting' | 'ownProblems' | 'certificateExpires'>) {
      const metrics = serverMetrics({ ...kernel, ...asks, ...late, registry });
      metricsRoute(http, metrics, token);
      return metrics;
    },
  };
}

/** `/metrics` at the address of the server. Without a token it does not exist. */
function metricsRoute(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  if (token === null) return;
  app.get('/metrics', { schema: { hide: true } }, async ({ headers }, reply) => {
    if (!hasToken(headers.authorization, token)) fail('unauthorized');
    return reply
      .type(metrics.content_type)
      .header('cache-control', 'no-store')
      .send(await metrics.text());
  });
}
