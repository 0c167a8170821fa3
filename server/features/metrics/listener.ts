import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartRefused } from '../../lib/start-failure.ts';
import type { Metrics } from './metrics.ts';
import { hasToken } from './token.ts';

export interface MetricsListener {
  port: number;
  close(): Promise<void>;
}

/** Scrapers are few. */
const max_connections = 50;

/** A port of its own for `/metrics`, which answers also while the other one refuses calls under load. Null: asks for no token. */
export async function openMetricsListener(
  { port, host, token }: { port: number; host: string; token: string | null },
  metrics: Metrics,
  log: { error(o: object, m: string): void },
): Promise<MetricsListener> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return send(response, 404, 'Only GET /metrics is here.\n');
    if (token !== null && !hasToken(request.headers.authorization, token)) {
      response.setHeader('www-authenticate', 'Bearer');
      return send(response, 401, 'Send METRICS_TOKEN as Authorization: Bearer.\n');
    }
    const text = await metrics.text();
    response.setHeader('content-type', metrics.content_type);
    send(response, 200, text);
  };
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(request, response).catch((err: unknown) => {
      log.error({ err }, 'the metrics could not be answered');
      send(response, 500, 'The log has the reason.\n');
    });
  });
  server.maxConnections = max_connections;
  server.listen({ port, host });
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartRefused(`METRICS_PORT=${port} cannot be used on METRICS_HOST=${host} (${code}). Choose another port, or another host.`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: string): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.writeHead(status, { 'cache-control': 'no-store' });
  response.end(body);
}
