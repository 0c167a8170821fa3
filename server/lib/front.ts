import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { errors } from '@porchlight/contract/errors.ts';
import type { Admission, CallKind } from './admission.ts';
import { trafficOf } from './route-traffic.ts';

export interface FrontOptions {
  admission: Pick<Admission, 'admit' | 'leave'>;
  /** What every answer of this server carries: name, value, name, value … */
  headers: string[];
  log: { warn(o: object, m: string): void };
}

/** In milliseconds: what was refused is counted for so long, and then logged in one line. */
const counted = 1_000;

/** Stands in front of whatever listens to the server's calls: what is refused costs an answer that was written before, and nothing else. */
export function standInFront(server: Server, { admission, headers, log }: FrontOptions): void {
  const behind = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const refused = new Map<CallKind, number>();
  const count = (kind: CallKind) => {
    if (refused.size === 0) setTimeout(write, counted).unref();
    refused.set(kind, (refused.get(kind) ?? 0) + 1);
  };
  const write = () => {
    log.warn({ refused: Object.fromEntries(refused) }, 'calls were refused, because more came than can be answered');
    refused.clear();
  };
  const refuse = (response: ServerResponse, retry_after: number) => {
    const id = randomUUID();
    const body = `${beginning}${id}"}`;
    // The connection stays: a new one costs more than this answer.
    response.writeHead(status, [
      ...headers,
      ...ofRefusals,
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
        refuse(response, retry_after);
        return;
      }
      // Whoever hangs up leaves as well.
      response.once('close', () => admission.leave(request));
    }
    for (const listener of behind) listener(request, response);
  });
}

const { status, words } = errors.unavailable;
/** As the error handler says it (P1.2), without an end. */
const beginning = JSON.stringify({ error: words, code: 'unavailable', request_id: '' }).slice(0, -2);
const ofRefusals = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'];

/** By the address of a call; null for the probes, which are always answered. */
export function kindOf(url: string): CallKind | null {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  // What `/readyz` asks of the database is asked once a second, however many ask.
  if (path === '/healthz' || path === '/readyz') return null;
  if (!path.startsWith('/api/')) return 'page';
  return trafficOf(path);
}
