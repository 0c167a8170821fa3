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
 * Queries one server over UDP from a random port; only an answer from that server to this question counts. Null without one within `timeout` ms, or
 * without a server.
 */
export function queryUdp({ address, port }: SocketAddress, packet: Buffer, query: Query, timeout: number): Promise<Answered | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const done = (answered: Answered | null) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      // A late error does not matter, and must not end the process.
      socket.on('error', () => {});
      socket.close();
      resolve(answered);
    };
    const timer = setTimeout(done, timeout, null);
    socket.once('error', () => done(null));
    socket.on('message', (bytes) => {
      const reply = readReply(bytes, packet, query);
      if (reply) done({ bytes, reply });
    });
    socket.once('connect', () => socket.send(packet));
    socket.connect(port, address);
  });
}

/** The same over TCP, for answers too long for UDP. */
export function queryTcp({ address, port }: SocketAddress, packet: Buffer, query: Query, timeout: number): Promise<Answered | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    let got = Buffer.alloc(0);
    const done = (answered: Answered | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    const timer = setTimeout(done, timeout, null);
    socket.once('error', () => done(null));
    socket.once('end', () => done(null));
    socket.once('connect', () => socket.end(framed(packet)));
    socket.on('data', (more: Buffer) => {
      got = Buffer.concat([got, more]);
      const length = got.length < 2 ? Number.POSITIVE_INFINITY : got.readUInt16BE(0);
      if (got.length < 2 + length) return;
      const bytes = got.subarray(2, 2 + length);
      const reply = readReply(bytes, packet, query);
      done(reply && { bytes, reply });
    });
  });
}

/** A message with its length in front, as TCP has it. */
export function framed(message: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(message.length + 2);
  out.writeUInt16BE(message.length, 0);
  out.set(message, 2);
  return out;
}
