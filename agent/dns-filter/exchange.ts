import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { SocketAddress } from './address.ts';
import type { Query } from './dns/query.ts';
import { type Reply, readReply } from './dns/reply.ts';

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
    let received = Buffer.alloc(0);
    const finish = (answered: Answered | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    const timer = setTimeout(finish, timeout, null);
    socket.once('error', () => finish(null));
    socket.once('end', () => finish(null));
    socket.once('connect', () => socket.end(framed(packet)));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE(0);
      if (received.length < 2 + length) return;
      const bytes = received.subarray(2, 2 + length);
      const reply = readReply(bytes, packet, query);
      finish(reply && { bytes, reply });
    });
  });
}

/** Prefixes a message with its length, as DNS over TCP requires. */
export function framed(message: Uint8Array): Buffer {
  const framedMessage = Buffer.allocUnsafe(message.length + 2);
  framedMessage.writeUInt16BE(message.length, 0);
  framedMessage.set(message, 2);
  return framedMessage;
}
