import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges that end as only counters may, and are the sums of others. */
const misnamed = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** The metrics of Node and this process. Made once for each process, because its observers never end. */
export function processMetrics(): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  return () => registry.metrics();
}
