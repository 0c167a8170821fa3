import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { connectionQueue } from './connection-queue.ts';
import { type Db, poolOf } from './open.ts';
import type { Tables } from './tables.ts';

/**
 * What a statement is for. `agent`, `enrol`, `web` and `guardian` share connections, each with a queue of its own; `urgent` (detections) has
 * connections that nobody else uses, and so has `background` (jobs, and everything that no call causes).
 */
export type Traffic = 'agent' | 'enrol' | 'web' | 'guardian' | 'urgent' | 'background';

/** What comes as a call, and waits in a queue. */
export type Queued = Exclude<Traffic, 'background'>;

/** How many connections there are for each. */
export interface Connections {
  shared: number;
  urgent: number;
  background: number;
}

/** Of one call: which traffic it is, and whether it was let in already. */
export interface Ticket {
  kind: Traffic;
  admitted: boolean;
}

export interface TrafficControl {
  /** Runs a part of a call: whatever it asks of the database waits in the queue of its kind. */
  serve<T>(ticket: Ticket, work: () => T): T;
  /** The call has waited for something that happens rarely: what it does next waits behind those that are new. */
  waitAgain(): void;
  /** How many calls of a kind fit in front of the database. */
  roomOf(kind: Queued): Room;
  /** In milliseconds: for how long the first call of its kind waits for a connection. */
  waitedFor(kind: Queued): number;
}

/** So many have a connection, and so many wait for one. */
export interface Room {
  connections: number;
  waiting: number;
}

export interface ServerDb {
  db: Db;
  traffic: TrafficControl;
  close(): Promise<void>;
}

/** So many may wait for each connection of their kind: more cannot be served within the time that anybody waits. */
const waiting_each = 20;
const waiting_least = 50;

/** Opens the server's connections to a PostgreSQL by URL: one `Db`, whose statements go to the connections of the traffic that they belong to. */
export function openServerDb(url: string, connections: Connections, now: () => number): ServerDb {
  const { shared, urgent, background } = connections;
  const line = (share: number, retry_after: number) => {
    const most = Math.max(1, Math.round(share));
    return { connections: most, waiting: Math.max(waiting_least, most * waiting_each), retry_after };
  };
  const lines = {
    agent: line(shared * 0.6, 10),
    web: line(shared * 0.7, 2),
    guardian: line(shared * 0.4, 2),
    enrol: line(shared * 0.3, 2),
    urgent: line(urgent, 1),
  };
  const shared_queue = connectionQueue(shared, { agent: lines.agent, web: lines.web, guardian: lines.guardian, enrol: lines.enrol }, now);
  const urgent_queue = connectionQueue(urgent, { urgent: lines.urgent }, now);
  const pools = { shared: poolOf(url, shared), urgent: poolOf(url, urgent), background: poolOf(url, background) };
  const current = new AsyncLocalStorage<Ticket>();

  const connect = async (): Promise<PostgresPoolClient> => {
    const ticket = current.getStore();
    if (!ticket || ticket.kind === 'background') return pools.background.connect();
    const { kind, admitted } = ticket;
    const leave = await (kind === 'urgent' ? urgent_queue.enter(kind, admitted) : shared_queue.enter(kind, admitted));
    ticket.admitted = true;
    try {
      return leased(await (kind === 'urgent' ? pools.urgent : pools.shared).connect(), leave);
    } catch (err) {
      leave();
      throw err;
    }
  };
  const end = async () => {
    for (const pool of Object.values(pools)) await pool.end();
  };
  const pool: PostgresPool = { options: pools.shared.options, Client: pg.Client, connect, end };
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    traffic: {
      serve: (ticket, work) => current.run(ticket, work),
      waitAgain() {
        const ticket = current.getStore();
        if (ticket) ticket.admitted = false;
      },
      roomOf: (kind) => lines[kind],
      waitedFor: (kind) => (kind === 'urgent' ? urgent_queue.waited(kind) : shared_queue.waited(kind)),
    },
    close: () => db.destroy(),
  };
}

/** The connection, which gives its place in the queue back together with itself. */
function leased(client: pg.PoolClient, leave: () => void): PostgresPoolClient {
  return {
    query: client.query.bind(client) as PostgresPoolClient['query'],
    release() {
      client.release();
      leave();
    },
  };
}
