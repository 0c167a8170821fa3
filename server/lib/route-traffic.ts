import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Queued, Ticket, TrafficControl } from '../db/traffic.ts';
import { callerOf, isFarCaller } from './caller-of.ts';
import { fail } from './errors.ts';

/** By the path of a route. What is not named here is `web`. */
const kinds: [beginning: RegExp, kind: Queued][] = [
  // What a family waits for, and the probe of whoever decides whether this server lives. Nothing that a stranger may call: they would take its places.
  [/^\/api\/agent\/detections$|^\/readyz$/, 'urgent'],
  // Anybody may call these, and send the body of the call as slowly as they like.
  [/^\/api\/agent\/(enrol|whose)$/, 'enrol'],
  [/^\/api\/(agent|definitions\/parts)\//, 'agent'],
  [/^\/api\/guardian\//, 'guardian'],
];

export function trafficOf(route: string): Queued {
  return kinds.find(([beginning]) => beginning.test(route))?.[1] ?? 'web';
}

/** So many calls of one address are under way at a time, of those that anybody may make; each address may make ten in a minute. */
const at_once_each = 10;

/** Counts the calls of each address, and answers how to end one; null where there are too many. Addresses that many people share are not counted. */
function callsAtOnce(): (ip: string) => (() => void) | null {
  const under_way = new Map<string, number>();
  return (ip) => {
    const caller = callerOf(ip);
    const count = under_way.get(caller) ?? 0;
    if (!isFarCaller(caller)) return () => {};
    if (count >= at_once_each) return null;
    under_way.set(caller, count + 1);
    return () => {
      const left = (under_way.get(caller) ?? 1) - 1;
      if (left > 0) under_way.set(caller, left);
      else under_way.delete(caller);
    };
  };
}

type Step = (this: unknown, ...args: unknown[]) => unknown;

/** Puts every route that is added from now on into the queue of its traffic: its checks before the body is read, and its handler. */
export function queueRoutes(app: FastifyInstance, traffic: Pick<TrafficControl, 'serve'>): void {
  const tickets = new WeakMap<FastifyRequest, Ticket>();
  const ticketOf = (request: FastifyRequest, kind: Queued): Ticket => {
    const ticket = tickets.get(request) ?? { kind, admitted: false };
    tickets.set(request, ticket);
    return ticket;
  };
  const begin = callsAtOnce();
  app.addHook('onRoute', (route: RouteOptions) => {
    const kind = trafficOf(route.url);
    const served = (step: Step): Step =>
      function serve(...args) {
        return traffic.serve(ticketOf(args[0] as FastifyRequest, kind), () => step.apply(this, args));
      };
    route.handler = served(route.handler as Step) as RouteOptions['handler'];
    // Those of the contract's calls (`bind.ts`), each of which answers with a promise.
    if (typeof route.onRequest === 'function') {
      const step = served(route.onRequest as Step);
      route.onRequest = async (request, reply) => {
        if (kind === 'enrol') {
          // Before the body, for which the call would keep its place.
          const end = begin(request.ip) ?? fail('unavailable', { retry_after: 2 });
          reply.raw.once('close', end);
        }
        await step.call(app, request, reply);
      };
    }
  });
}
