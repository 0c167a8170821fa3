import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { SocketAddress } from './address.ts';
import type { Query } from './dns/query.ts';
import { type Reply, readReply } from './dns/reply.ts';
import { framed, frameReader } from './framing.ts';

export interface Answered {
  bytes: Buffer;
  reply: Reply;
}

/**
 * Queries one server from a random UDP port; other packets than its answer to this query are ignored. Null after `timeout` ms or an error.
 */
export function queryUdp({ address, port }: SocketAddress, packet: Buffer, query: Query, timeout: number): Promise<Answered | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const finish = (answered: Answered | null) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.close();
      resolve(answered);
    };
    const timer = setTimeout(finish, timeout, null);
    socket.once('error', () => finish(null));
    socket.on('message', (bytes) => {
      const reply = readReply(bytes, packet, query);
      if (reply) finish({ bytes, reply });
    });
    socket.once('connect', () => socket.send(packet));
    socket.connect(port, address);
  });
}

export function queryTcp({ address, port }: SocketAddress, packet: Buffer, query: Query, timeout: number): Promise<Answered | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const finish = (answered: Answered | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    const timer = setTimeout(finish, timeout, null);
    socket.once('error', () => finish(null));
    socket.once('end', () => finish(null));
    socket.once('connect', () => socket.end(framed(packet)));
    socket.on(
      'data',
      frameReader((bytes) => {
        const reply = readReply(bytes, packet, query);
        finish(reply && { bytes, reply });
      }),
    );
  });
}
