import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { SocketAddress } from './address.ts';
import type { Resolver } from './resolver.ts';

export interface Listener {
  port: number;
  close(): void;
}

/** A faster way that an operating system has; null where it has none. */
export type FastUdp = (handle: Resolver['handle'], place: SocketAddress) => Promise<Listener | null>;

/** Listens for queries over UDP. Rejects when the address or port is taken or not permitted. */
export async function listenUdp({ handle }: Pick<Resolver, 'handle'>, { address, port }: SocketAddress): Promise<Listener> {
  const v6 = isIPv6(address);
  const socket = createSocket({
    type: v6 ? 'udp6' : 'udp4',
    // Clients have numeric addresses: a lookup would cost more than the answer.
    lookup: (host, _options, callback) => callback(null, host, v6 ? 6 : 4),
  });
  socket.on('message', (packet, from) => {
    handle(packet, null, (answer) => socket.send(Buffer.from(answer), from.port, from.address, ignore));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address, port, exclusive: true }, resolve);
  });
  socket.removeAllListeners('error');
  // One lost client does not end the service.
  socket.on('error', ignore);
  return { port: socket.address().port, close: () => void socket.close() };
}

const ignore = () => {};
