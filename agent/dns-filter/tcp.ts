import { createServer, type Server, type Socket } from 'node:net';
import type { SocketAddress } from './address.ts';
import { framed } from './exchange.ts';
import type { Resolver } from './resolver.ts';

/** A client that is silent for so long has gone. */
const idle = 10_000;
const connections = 100;
const MAX_BYTES = 65_535;

/** Listens for queries over TCP, several on one connection (RFC 7766). Rejects when the address or port is taken. */
export async function listenTcp(resolver: Pick<Resolver, 'handle'>, { address, port }: SocketAddress): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => serve(resolver, socket));
  server.maxConnections = connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
  server.on('error', () => {});
  return server;
}

function serve({ handle }: Pick<Resolver, 'handle'>, socket: Socket): void {
  let got: Buffer = Buffer.alloc(0);
  socket.setTimeout(idle, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (more: Buffer) => {
    got = got.length ? Buffer.concat([got, more]) : more;
    while (got.length >= 2) {
      const end = 2 + got.readUInt16BE(0);
      if (got.length < end) break;
      handle(Buffer.from(got.subarray(2, end)), MAX_BYTES, (answer) => {
        if (socket.writable) socket.write(framed(answer));
      });
      got = got.subarray(end);
    }
    // A client that sends and does not read is disconnected.
    if (socket.writableLength > MAX_BYTES) socket.destroy();
  });
}
