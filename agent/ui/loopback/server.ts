import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type HandOver, handOver, type LocalStatus } from '@porchlight/contract/loopback.ts';
import { linkWords } from '../../api/enrol.ts';
import { limitConnections } from '../limit-connections.ts';
import { loopbackGuard } from './guard.ts';

const bodyLimit = 4096;
/** Milliseconds; a connection that sends nothing ends within six seconds. */
const timeouts = { requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 5000, connectionsCheckingInterval: 1000 };

export interface LoopbackDeps {
  port: number;
  origins: () => string[];
  status: () => LocalStatus;
  takeLink: (link: HandOver) => Promise<void>;
  window: (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void>;
}

export interface Loopback {
  port: number;
  close(): Promise<void>;
}

const answerWords = {
  internal: 'Something went wrong on this computer. Try again.',
  refused: 'This is not for you.',
};

/** Listens only on 127.0.0.1. Null when the port is taken or reserved. */
export async function startLoopback(deps: LoopbackDeps): Promise<Loopback | null> {
  const answering = new Set<Socket>();
  const server = createServer(timeouts, (request, response) => {
    answering.add(request.socket);
    response.once('close', () => answering.delete(request.socket));
    answer(deps, (server.address() as AddressInfo).port, request, response).catch(() => {
      if (!response.headersSent) send(response, 500, { error: answerWords.internal, code: 'internal' });
    });
  });
  limitConnections(server, (socket) => answering.has(socket));
  const listening = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(deps.port, '127.0.0.1', () => resolve(true));
  });
  if (!listening) return null;
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(deps: LoopbackDeps, port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const verdict = loopbackGuard(
    {
      method: request.method ?? '',
      path: (request.url ?? '').split('?')[0] ?? '',
      host: request.headers.host,
      origin: request.headers.origin,
      content_type: request.headers['content-type'],
    },
    port,
    deps.origins(),
  );
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if ('refuse' in verdict) return send(response, verdict.refuse, { error: answerWords.refused, code: 'refused' });
  if (verdict.pass === 'window') return deps.window(request, await readBody(request), response);

  response.setHeader('access-control-allow-origin', verdict.origin);
  response.setHeader('vary', 'origin');
  if (verdict.pass === 'preflight') {
    response.setHeader('access-control-allow-methods', 'GET, POST');
    response.setHeader('access-control-allow-headers', 'content-type');
    response.setHeader('access-control-allow-private-network', 'true');
    response.writeHead(204).end();
    return;
  }
  if (verdict.pass === 'status') return send(response, 200, deps.status());
  const link = handOver.safeParse(parse(await readBody(request)));
  if (!link.success) return send(response, 422, { error: linkWords.bad_link, code: 'bad_link' });
  try {
    await deps.takeLink(link.data);
    send(response, 200, {});
  } catch (err) {
    const { code = 'not_taken', message } = err as { code?: string; message: string };
    send(response, 409, { error: message, code });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) {
      request.destroy();
      return '';
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
