import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver, LocalStatus } from '@porchlight/contract/loopback.ts';

/** A fake agent on the real port, for browsers with their own checks in between. */
export interface LoopbackServer {
  status: LocalStatus;
  /** Every received request, also preflights: `GET /.well-known/`. */
  asked: string[];
  close(): Promise<void>;
}

/** Serves the agent's two calls to one Origin. `take`: the effect of a link. */
export async function startLoopbackServer(
  origin: string,
  status: LocalStatus,
  take: (link: HandOver) => Promise<unknown>,
): Promise<LoopbackServer> {
  const asked: string[] = [];
  const program = { status, asked };
  const server = createServer(async (request, answer) => {
    asked.push(`${request.method} ${request.url}`);
    answer.setHeader('access-control-allow-origin', origin);
    answer.setHeader('access-control-allow-headers', 'content-type');
    answer.setHeader('content-type', 'application/json');
    if (request.method === 'POST') await take((await json(request)) as HandOver);
    answer.end(request.method === 'GET' ? JSON.stringify(program.status) : '{}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(limits.loopback_port, '127.0.0.1', resolve);
  });
  return Object.assign(program, {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
