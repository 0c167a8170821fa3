import { createServer, type Server, type Socket } from 'node:net';
import type { SocketAddress } from './address.ts';
import { framed, frameReader } from './framing.ts';
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
  socket.setTimeout(idleTimeout, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const take = frameReader((message) => {
    handle(Buffer.from(message), MAX_BYTES, (answer) => {
      if (socket.writable) socket.write(framed(answer));
    });
  });
  socket.on('data', (chunk: Buffer) => {
    take(chunk);
    // Disconnects a client that sends queries but does not read the answers.
    if (socket.writableLength > MAX_BYTES) socket.destroy();
  });
}
