import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { SocketAddress } from './address.ts';
import type { FilterClock } from './clock.ts';
import type { Query } from './dns/query.ts';
import { readReply } from './dns/reply.ts';
import type { Answered } from './exchange.ts';

/**
 * The sockets of a server, each at a random port of the system. While there are fewer, a query gets a new one, so that at the pace of a
 * person each query has a port of its own; a flood of queries shares them.
 */
const MAX_SOCKETS = 32;
/** A socket takes no more than these queries and, in milliseconds, no query after this age, so that a port is not worth finding out. */
const MAX_QUERIES = 500;
const MAX_AGE_MS = 5000;

interface PendingQuery {
  packet: Buffer;
  query: Query;
  /** By the clock, in milliseconds. */
  sentAt: number;
  finish: (answered: Answered | null) => void;
}

interface PooledSocket {
  socket: Socket;
  opened: number;
  queries: number;
  pending: Map<number, PendingQuery>;
  retired: boolean;
}

export interface UdpPool {
  /** Null after the timeout or when the server cannot be reached. Writes a random id into the packet. */
  ask(packet: Buffer, query: Query): Promise<Answered | null>;
  /** No query is accepted afterwards; those that wait may still be answered. */
  close(): void;
}

/**
 * Queries one server over UDP from a small pool of connected sockets, because opening one for each query costs more than all else.
 *
 * A forged answer counts only when it comes from the server's address and port to the port, and with the id and the question, of a query
 * that still waits. An attacker who cannot see the query has to guess a port of about 28,000 (Linux; 16,000 on Windows and macOS) and an id
 * of 65,536, both new for each query at home: one packet in about two thousand million succeeds. With all sockets in use a packet
 * that finds any of the 32 ports still needs the port that this query left from, so the odds for each query are the same. What sharing
 * costs is that a port lives for 5 s or 500 queries instead of one query, which is too short to find it by probing. Two queries for one
 * name never wait together (see resolver.ts), so that there is no birthday attack.
 */
export function udpPool({ address, port }: SocketAddress, clock: FilterClock, timeoutMs: number): UdpPool {
  const v6 = isIPv6(address);
  let sockets: PooledSocket[] = [];
  let isClosed = false;
  /** In the order of their deadlines, as all have the same timeout; so one timer serves them all. */
  const waiting = new Set<PendingQuery>();
  let isTimed = false;
  const watchTimeouts = (ms: number) => {
    isTimed = true;
    clock.after(ms, () => {
      isTimed = false;
      for (const { sentAt, finish } of waiting) {
        const left = sentAt + timeoutMs - clock.now();
        if (left > 0) return watchTimeouts(left);
        finish(null);
      }
    });
  };
  const closeDrained = (pooled: PooledSocket) => {
    if (pooled.retired && pooled.pending.size === 0) pooled.socket.close();
  };
  const retire = (pooled: PooledSocket) => {
    if (pooled.retired) return;
    pooled.retired = true;
    sockets = sockets.filter((other) => other !== pooled);
    closeDrained(pooled);
  };
  const open = (): PooledSocket => {
    // The address is no name, so this answers at once, and the socket is connected when `connect` returns.
    const socket = createSocket({ type: v6 ? 'udp6' : 'udp4', lookup: (host, _options, callback) => callback(null, host, v6 ? 6 : 4) });
    const pooled: PooledSocket = { socket, opened: clock.now(), queries: 0, pending: new Map(), retired: false };
    // Such as ECONNREFUSED: the server does not listen.
    const fail = () => {
      for (const { finish } of [...pooled.pending.values()]) finish(null);
      retire(pooled);
    };
    socket.on('error', fail);
    socket.on('message', (bytes) => {
      const pendingQuery = bytes.length < 2 ? undefined : pooled.pending.get(bytes.readUInt16BE(0));
      const reply = pendingQuery && readReply(bytes, pendingQuery.packet, pendingQuery.query);
      if (reply) pendingQuery.finish({ bytes, reply });
    });
    socket.connect(port, address);
    sockets.push(pooled);
    clock.after(MAX_AGE_MS, () => retire(pooled));
    return pooled;
  };
  const choose = (): PooledSocket => {
    if (sockets.length < MAX_SOCKETS) return open();
    const pooled = sockets[randomInt(sockets.length)] ?? open();
    if (++pooled.queries >= MAX_QUERIES) retire(pooled);
    return pooled;
  };
  return {
    ask: (packet, query) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(null);
        const pooled = choose();
        let id = randomInt(65536);
        while (pooled.pending.has(id)) id = randomInt(65536);
        packet.writeUInt16BE(id, 0);
        const finish = (answered: Answered | null) => {
          waiting.delete(pendingQuery);
          pooled.pending.delete(id);
          resolve(answered);
          closeDrained(pooled);
        };
        const pendingQuery: PendingQuery = { packet, query, sentAt: clock.now(), finish };
        pooled.pending.set(id, pendingQuery);
        waiting.add(pendingQuery);
        if (!isTimed) watchTimeouts(timeoutMs);
        try {
          pooled.socket.send(packet);
        } catch {
          // There is no way to the server, such as without IPv6.
          finish(null);
          retire(pooled);
        }
      }),
    close() {
      isClosed = true;
      for (const pooled of sockets) retire(pooled);
    },
  };
}
