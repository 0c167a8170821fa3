import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { QueuedTraffic, Ticket, TrafficControl } from '../db/traffic.ts';
import { fail } from '../lib/errors.ts';
import { callerOf, isFarCaller } from './caller-of.ts';

/** By a route's path; default `web`. */
const kinds: [beginning: RegExp, kind: QueuedTraffic][] = [
  // Only routes with authentication: strangers could use up the connections.
  [/^\/api\/agent\/detections$|^\/readyz$/, 'urgent'],
  // Routes without authentication, whose callers may send the body arbitrarily slowly.
  [/^\/api\/agent\/(enrol|whose)$/, 'enrol'],
  [/^\/api\/(agent|definitions\/parts)\//, 'agent'],
  [/^\/api\/guardian\//, 'guardian'],
];

export function trafficOf(route: string): QueuedTraffic {
  return kinds.find(([beginning]) => beginning.test(route))?.[1] ?? 'web';
}

/** The rate limit of an address is ten calls a minute. */
const max_per_address = 10;

/** Null above the limit. Addresses that many users may share are not counted. */
function concurrentCalls(): (ip: string) => (() => void) | null {
  const callsOf = new Map<string, number>();
  return (ip) => {
    const caller = callerOf(ip);
    const count = callsOf.get(caller) ?? 0;
    if (!isFarCaller(caller)) return () => {};
    if (count >= max_per_address) return null;
    callsOf.set(caller, count + 1);
    return () => {
      const remaining = (callsOf.get(caller) ?? 1) - 1;
      if (remaining > 0) callsOf.set(caller, remaining);
      else callsOf.delete(caller);
    };
  };
}

type Step = (this: unknown, ...args: unknown[]) => unknown;

/** Runs the handler and the access check of the routes that follow in the queue of their traffic. */
export function queueRoutes(app: FastifyInstance, traffic: Pick<TrafficControl, 'serve'>): void {
  const tickets = new WeakMap<FastifyRequest, Ticket>();
  const ticketOf = (request: FastifyRequest, kind: QueuedTraffic): Ticket => {
    const ticket = tickets.get(request) ?? { kind, admitted: false };
    tickets.set(request, ticket);
    return ticket;
  };
  const begin = concurrentCalls();
  app.addHook('onRoute', (route: RouteOptions) => {
    const kind = trafficOf(route.url);
    const serveStep = (step: Step): Step =>
      function serve(...args) {
        return traffic.serve(ticketOf(args[0] as FastifyRequest, kind), () => step.apply(this, args));
      };
    route.handler = serveStep(route.handler as Step) as RouteOptions['handler'];
    // Routes of the contract (`bind.ts`), whose access check returns a promise.
    if (typeof route.onRequest === 'function') {
      const step = serveStep(route.onRequest as Step);
      route.onRequest = async (request, reply) => {
        if (kind === 'enrol') {
          // Counted before the body, which may take long to arrive.
          const end = begin(request.address) ?? fail('unavailable', { retry_after: 2 });
          reply.raw.once('close', end);
        }
        await step.call(app, request, reply);
      };
    }
  });
}
