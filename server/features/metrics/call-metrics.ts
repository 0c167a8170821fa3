import { Counter, Histogram, type Registry } from 'prom-client';
import type { CallObserver } from '../../http/direct-calls.ts';
import { kindOf } from '../../http/front.ts';

export interface CallMetrics extends CallObserver {
  /** A long poll that waits for an event: its duration says nothing about the server. */
  waits(message: object): void;
}

/** Node's parser accepts many more methods, which no route has. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const methodOf = (method: string) => (methods.has(method) ? method : 'other');

/** In seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const scrapes = '/metrics';

/** Labels are patterns of routes, never addresses, so that callers can neither add series nor appear in one. */
export function callMetrics(registry: Registry): CallMetrics {
  const requests = new Counter({
    name: 'porchlight_http_requests_total',
    help: 'Answered calls. The route is a pattern, or none for an unknown address and for a call that was refused under load.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'porchlight_http_request_duration_seconds',
    help: 'Time to answer a call, without probes, scrapes and long polls that waited for an event.',
    labelNames: ['traffic'],
    buckets,
    registers: [registry],
  });
  const waiting = new WeakSet<object>();
  return {
    answered({ message, method, route, status, ms }) {
      requests.inc({ method: methodOf(method), route, status });
      const traffic = kindOf(route);
      if (traffic !== null && route !== scrapes && !waiting.has(message)) durations.observe({ traffic }, ms / 1000);
    },
    refused: (method) => requests.inc({ method: methodOf(method), route: 'none', status: 503 }),
    waits: (message) => void waiting.add(message),
  };
}
