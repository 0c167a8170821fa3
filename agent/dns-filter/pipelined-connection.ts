import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FilterClock } from './clock.ts';
import type { Query } from './dns/query.ts';
import { readReply } from './dns/reply.ts';
import type { Answered } from './exchange.ts';
import { framed, frameReader } from './framing.ts';

/** Milliseconds without a query after which we close the connection, as RFC 7858 asks of clients. */
const IDLE_MS = 30_000;

/**
 * Why a query has no answer. `closed`: the connection ended. `silent`: nothing at all came on the connection since the query was sent.
 * `late`: other queries were answered, so only this one is slow.
 */
export type Unanswered = 'closed' | 'silent' | 'late';

export interface PipelinedConnection {
  ask(packet: Uint8Array, query: Query, ms: number): Promise<Answered | Unanswered>;
  close(): void;
}

interface PendingQuery {
  packet: Buffer;
  query: Query;
  finish: (result: Answered | Unanswered) => void;
}

/**
 * Sends many queries on one connection without waiting for answers, which may come in any order (RFC 7766). An answer counts only when both
 * its id and its question are those of a pending query; any other message is ignored.
 */
export function pipelinedConnection(socket: Socket, clock: FilterClock, onClosed: () => void): PipelinedConnection {
  const pending = new Map<number, PendingQuery>();
  let isClosed = false;
  let receivedAt = Number.NEGATIVE_INFINITY;
  let usedAt = clock.now();
  let cancelIdle = () => {};
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    cancelIdle();
    socket.destroy();
    onClosed();
    for (const { finish } of pending.values()) finish('closed');
  };
  const watchIdle = (ms: number) => {
    cancelIdle = clock.after(ms, () => {
      const left = usedAt + IDLE_MS - clock.now();
      if (pending.size === 0 && left <= 0) close();
      else watchIdle(left > 0 ? left : IDLE_MS);
    });
  };
  watchIdle(IDLE_MS);
  const freeId = () => {
    for (;;) {
      const id = randomInt(65536);
      if (!pending.has(id)) return id;
    }
  };
  socket.on(
    'data',
    frameReader((bytes) => {
      const pendingQuery = bytes.length < 2 ? undefined : pending.get(bytes.readUInt16BE(0));
      const reply = pendingQuery && readReply(bytes, pendingQuery.packet, pendingQuery.query);
      if (!reply) return;
      receivedAt = clock.now();
      pendingQuery.finish({ bytes, reply });
    }),
  );
  socket.on('error', close);
  socket.on('end', close);
  socket.on('close', close);
  return {
    ask: (packet, query, ms) =>
      new Promise((resolve) => {
        if (isClosed) return resolve('closed');
        const ownPacket = Buffer.from(packet);
        const id = freeId();
        ownPacket.writeUInt16BE(id, 0);
        const sentAt = clock.now();
        usedAt = sentAt;
        const cancelTimeout = clock.after(ms, () => finish(receivedAt > sentAt ? 'late' : 'silent'));
        const finish = (result: Answered | Unanswered) => {
          cancelTimeout();
          pending.delete(id);
          resolve(result);
        };
        pending.set(id, { packet: ownPacket, query, finish });
        socket.write(framed(ownPacket));
      }),
    close,
  };
}
