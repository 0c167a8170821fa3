import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '@porchlight/dev/ports.ts';

/** The network between a household and the server: one proxy, which says where a call comes from, as a load balancer does. */
export interface Front {
  /** The public address of the server. */
  url: string;
  /** The household's address, from where every call without `X-Forwarded-For` comes. */
  home: string;
  /** Pulls the household's cable out, or puts it back. */
  cut(isCut: boolean): void;
  close(): Promise<void>;
}

/** `port`: the server's own. */
export async function startFront(port: number): Promise<Front> {
  const fromHome = new Set<Socket>();
  let isCut = false;
  const front = { url: '', home: '' };
  const server = createServer((call, answer) => {
    const isElsewhere = call.headers['x-forwarded-for'] !== undefined;
    if (!isElsewhere) {
      if (isCut) return call.socket.destroy();
      fromHome.add(call.socket);
    }
    const headers = { ...call.headers, 'x-forwarded-for': call.headers['x-forwarded-for'] ?? front.home };
    const forwarded = request({ host: '127.0.0.1', port, method: call.method, path: call.url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    forwarded.on('error', () => call.socket.destroy());
    answer.on('close', () => forwarded.destroy());
    call.pipe(forwarded);
  });
  server.on('connection', (socket) => socket.once('close', () => fromHome.delete(socket)));
  const ownPort = await freePort();
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve));
  return Object.assign(front, {
    url: `http://localhost:${ownPort}`,
    cut(cutNow: boolean) {
      isCut = cutNow;
      if (isCut) for (const socket of fromHome) socket.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
