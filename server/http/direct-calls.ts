import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '@porchlight/contract/errors.ts';
import type { TrafficControl } from '../db/traffic.ts';
import type { Refusal } from '../lib/errors.ts';
import { idOfCall, withRequest } from '../lib/request-context.ts';
import { addressOf } from './caller-of.ts';
import { errorBodyOf, refusalOf, retryAfterOf } from './error-handler.ts';
import { trafficOf } from './route-traffic.ts';

/** Counts calls. Must not throw. */
export interface CallObserver {
  /** `route`: the pattern, `none` for an unknown address. `message`: identifies the call. */
  answered(call: { message: object; method: string; route: string; status: number; ms: number }): void;
  /** A call that admission refused, before its route was known. */
  refused(method: string): void;
}

export interface DirectCall {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  /** The caller's address. */
  ip: string;
}

/** Answers the call, or rejects with a refusal. */
export type DirectHandler = (call: DirectCall) => Promise<void>;

export interface DirectCallOptions {
  /** Headers of every answer: name, value, name, value … */
  headers: string[];
  log: { info(o: object, m: string): void; error(o: object, m: string): void };
  trust_proxy: number;
  /** Gets each header whose address cannot be read, as it came. */
  unreadable?: ((header: string) => void) | undefined;
  traffic?: Pick<TrafficControl, 'serve'>;
  observer?: CallObserver | undefined;
}

export interface DirectCalls {
  /** Other paths are not answered, also those that are added later. */
  only(paths: ReadonlySet<string>): void;
  /** `path`: exactly as callers write it. */
  add(method: string, path: string, handler: DirectHandler): void;
  /** Whether the call is one of these. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Calls that leave Node's own server before Fastify, because a server with many agents has hardly any others. They have the same ids, headers,
 * refusals, queue and metrics; the log has only those that were not answered with 200.
 */
export function directCalls({ headers, log, trust_proxy, unreadable, traffic, observer }: DirectCallOptions): DirectCalls {
  const handlers = new Map<string, { method: string; handler: DirectHandler }>();
  let isAnswered = (_path: string) => true;

  const observe = ({ request, response, id }: DirectCall, route: string) => {
    const since = performance.now();
    response.once('finish', () => {
      const [status, ms] = [response.statusCode, performance.now() - since];
      const method = request.method ?? '';
      observer?.answered({ message: request, method, route, status, ms });
      if (status !== 200) log.info({ request: id, method, route, status, ms: Math.round(ms) }, 'call');
    });
  };
  const begin = async (call: DirectCall, handler: DirectHandler) => {
    try {
      await handler(call);
    } catch (err) {
      writeRefusal(call, headers, refusalOf(err, log));
    }
  };
  return {
    only(paths) {
      isAnswered = (path) => paths.has(path);
    },
    add: (method, path, handler) => void handlers.set(path, { method, handler }),
    answer(request, response) {
      const path = request.url ?? '';
      const found = handlers.get(path);
      if (!found || found.method !== request.method || !isAnswered(path)) return false;
      const id = idOfCall(request.headers, trust_proxy);
      const call = { request, response, id, ip: addressOf(request, trust_proxy, unreadable) };
      observe(call, path);
      const answered = () => begin(call, found.handler);
      void withRequest(id, () => (traffic ? traffic.serve({ kind: trafficOf(path), admitted: false }, answered) : answered()));
      return true;
    },
  };
}

const ofJson = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'];

export function writeJson(response: ServerResponse, headers: string[], status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, [...headers, ...ofJson, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}

/** Answers as the error handler of Fastify's calls does. */
export function writeRefusal({ response, id }: Pick<DirectCall, 'response' | 'id'>, headers: string[], refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const retry_after = retryAfterOf(refusal);
  const ofRefusal = ['x-request-id', id, ...(retry_after === null ? [] : ['retry-after', retry_after])];
  writeJson(response, [...headers, ...ofRefusal], errors[refusal.code].status, errorBodyOf(refusal, id));
}
