import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { errors } from '@porchlight/contract/errors.ts';
import { idOfCall } from '../lib/request-context.ts';
import type { Admission, CallKind } from './admission.ts';
import type { DirectCalls } from './direct-calls.ts';
import { trafficOf } from './route-traffic.ts';

export interface FrontOptions {
  admission: Pick<Admission, 'admit' | 'leave'>;
  /** Headers of every reply: name, value, name, value … */
  headers: string[];
  log: { warn(o: object, m: string): void };
  /** Called for each refused call. */
  refused?: ((method: string) => void) | undefined;
  trust_proxy: number;
  direct: Pick<DirectCalls, 'answer'>;
}

const log_interval = 1_000;

/** A refusal before all other listeners costs only a prepared reply. */
export function admitBeforeRouting(server: Server, { admission, headers, log, refused, trust_proxy, direct }: FrontOptions): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const refusalCounts = new Map<CallKind, number>();
  const count = (kind: CallKind) => {
    if (refusalCounts.size === 0) setTimeout(write, log_interval).unref();
    refusalCounts.set(kind, (refusalCounts.get(kind) ?? 0) + 1);
  };
  const write = () => {
    log.warn({ refused: Object.fromEntries(refusalCounts) }, 'calls were refused, because more came than can be answered');
    refusalCounts.clear();
  };
  const refuse = (request: IncomingMessage, response: ServerResponse, retry_after: number) => {
    const id = idOfCall(request.headers, trust_proxy);
    const body = `${bodyPrefix}${id}"}`;
    // The connection stays open, because a new one costs more than this answer.
    response.writeHead(status, [
      ...headers,
      ...refusalHeaders,
      'content-length',
      String(body.length),
      'retry-after',
      String(retry_after),
      'x-request-id',
      id,
    ]);
    response.end(body);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const kind = kindOf(request.url ?? '');
    if (kind !== null) {
      const retry_after = admission.admit(request, kind);
      if (retry_after !== null) {
        count(kind);
        refused?.(request.method ?? '');
        refuse(request, response, retry_after);
        return;
      }
      // `close` also fires when the client disconnects.
      response.once('close', () => admission.leave(request));
    }
    if (direct.answer(request, response)) return;
    for (const listener of listeners) listener(request, response);
  });
}

const { status, words } = errors.unavailable;
/** An error's format (P1.2), up to the request's id. */
const bodyPrefix = JSON.stringify({ error: words, code: 'unavailable', request_id: '' }).slice(0, -2);
const refusalHeaders = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'];

/** The kind of a call, by its URL; null for the probes, which are always answered. */
export function kindOf(url: string): CallKind | null {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  // `/readyz` uses the database at most once a second, however often it is called.
  if (path === '/healthz' || path === '/readyz') return null;
  if (!path.startsWith('/api/')) return 'page';
  return trafficOf(path);
}
