import { connect } from 'node:net';
import type { SocketAddress } from './address.ts';
import type { Query } from './dns/query.ts';
import { type Reply, readReply } from './dns/reply.ts';
import { framed, frameReader } from './framing.ts';

export interface Answered {
  bytes: Buffer;
  reply: Reply;
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
