import { createServer, type Server, type Socket } from 'node:net';
import type { SocketAddress } from './address.ts';
import { framed } from './exchange.ts';
import type { Resolver } from './resolver.ts';

const idleTimeout = 10_000;
const maxConnections = 100;
const MAX_BYTES = 65_535;

/** Answers DNS over TCP, several queries per connection (RFC 7766). Rejects when the port is taken. */
export async function listenTcp(resolver: Pick<Resolver, 'handle'>, { address, port }: SocketAddress): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => serve(resolver, socket));
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
  server.on('error', () => {});
  return server;
}

function serve({ handle }: Pick<Resolver, 'handle'>, socket: Socket): void {
  let received: Buffer = Buffer.alloc(0);
  socket.setTimeout(idleTimeout, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    received = received.length ? Buffer.concat([received, chunk]) : chunk;
    while (received.length >= 2) {
      const end = 2 + received.readUInt16BE(0);
      if (received.length < end) break;
      handle(Buffer.from(received.subarray(2, end)), MAX_BYTES, (answer) => {
        if (socket.writable) socket.write(framed(answer));
      });
      received = received.subarray(end);
    }
    // Disconnects a client that sends queries but does not read the answers.
    if (socket.writableLength > MAX_BYTES) socket.destroy();
  });
}
