import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** The metrics of a gateway: it has no database, and counts only the agents that wait. */
export function gatewayMetrics({ agentsWaiting }: { agentsWaiting(): number }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'porchlight_agents_waiting',
    help: 'Agents that wait for a change at this server.',
    registers: [registry],
    collect() {
      this.set(agentsWaiting());
    },
  });
  return { content_type: registry.contentType, text: () => registry.metrics() };
}
