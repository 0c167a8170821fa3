import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { SocketAddress } from './address.ts';
import type { Resolver } from './resolver.ts';

interface Listener {
  port: number;
  close(): void;
}

export async function listenUdp({ handle }: Pick<Resolver, 'handle'>, { address, port }: SocketAddress): Promise<Listener> {
  const v6 = isIPv6(address);
  const socket = createSocket({
    type: v6 ? 'udp6' : 'udp4',
    lookup: (host, _options, callback) => callback(null, host, v6 ? 6 : 4),
  });
  let closed = false;
  socket.on('message', (packet, sender) => {
    handle(packet, null, (answer) => {
      // An upstream may answer after the filter stopped; `send` would throw.
      if (!closed) socket.send(Buffer.from(answer), sender.port, sender.address, ignore);
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address, port, exclusive: true }, resolve);
  });
  socket.removeAllListeners('error');
  socket.on('error', ignore);
  return {
    port: socket.address().port,
    close() {
      closed = true;
      socket.close();
    },
  };
}

const ignore = () => {};
