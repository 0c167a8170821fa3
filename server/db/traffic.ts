import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { connectionQueue } from './connection-queue.ts';
import { type Db, poolOf, withPool } from './open.ts';
import { preparedStatements } from './prepared.ts';

/**
 * `agent`, `enrol`, `web` and `guardian` share connections, each with its own queue; `urgent` (detections) and `background` (jobs) have
 * connections of their own.
 */
export type Traffic = 'agent' | 'enrol' | 'web' | 'guardian' | 'urgent' | 'background';

export type QueuedTraffic = Exclude<Traffic, 'background'>;

export interface Connections {
  shared: number;
  urgent: number;
  background: number;
}

/** A call's kind of traffic, and whether the call had a connection before. */
export interface Ticket {
  kind: Traffic;
  admitted: boolean;
}

export interface TrafficControl {
  /** The call's database statements wait in the queue of its traffic. */
  serve<T>(ticket: Ticket, work: () => T): T;
  /** How many calls of a kind may have or await a connection. */
  roomOf(kind: QueuedTraffic): Room;
  /** How many milliseconds the first waiting call of a kind has waited. */
  waitedFor(kind: QueuedTraffic): number;
  /** How many calls of a kind wait for a connection. */
  waitingOf(kind: QueuedTraffic): number;
  /** The connections of each pool, as numbers. `waiting`: statements that wait for the pool itself. */
  connections(): Record<keyof Connections, PoolState>;
}

export interface PoolState {
  in_use: number;
  idle: number;
  waiting: number;
}

export interface Room {
  connections: number;
  waiting: number;
}

export interface ServerDb {
  db: Db;
  traffic: TrafficControl;
  close(): Promise<void>;
}

/** More waiting calls per connection could not be served in acceptable time. */
const waiting_per_connection = 20;
const waiting_min = 50;

/** Statements use the connections of their kind of traffic. */
export function openServerDb(url: string, connections: Connections, now: () => number): ServerDb {
  const { shared, urgent, background } = connections;
  const optionsOf = (share: number, retry_after: number) => {
    const connectionMax = Math.max(1, Math.round(share));
    return { connections: connectionMax, waiting: Math.max(waiting_min, connectionMax * waiting_per_connection), retry_after };
  };
  const queueOptions = {
    agent: optionsOf(shared * 0.6, 10),
    web: optionsOf(shared * 0.7, 2),
    guardian: optionsOf(shared * 0.4, 2),
    enrol: optionsOf(shared * 0.3, 2),
    urgent: optionsOf(urgent, 1),
  };
  const shared_queue = connectionQueue(
    shared,
    { agent: queueOptions.agent, web: queueOptions.web, guardian: queueOptions.guardian, enrol: queueOptions.enrol },
    now,
  );
  const urgent_queue = connectionQueue(urgent, { urgent: queueOptions.urgent }, now);
  const pools = { shared: poolOf(url, shared), urgent: poolOf(url, urgent), background: poolOf(url, background) };
  const prepared = preparedStatements();
  const current = new AsyncLocalStorage<Ticket>();

  const connect = async (): Promise<PostgresPoolClient> => {
    const ticket = current.getStore();
    if (!ticket || ticket.kind === 'background') return prepared.lease(await pools.background.connect());
    const { kind, admitted } = ticket;
    const leave = await (kind === 'urgent' ? urgent_queue.enter(kind, admitted) : shared_queue.enter(kind, admitted));
    ticket.admitted = true;
    try {
      return prepared.lease(await (kind === 'urgent' ? pools.urgent : pools.shared).connect(), leave);
    } catch (err) {
      leave();
      throw err;
    }
  };
  const end = async () => {
    for (const pool of Object.values(pools)) await pool.end();
  };
  const { db, close } = withPool({ options: pools.shared.options, Client: pg.Client, connect, end });
  return {
    db,
    traffic: {
      serve: (ticket, work) => current.run(ticket, work),
      roomOf: (kind) => queueOptions[kind],
      waitedFor: (kind) => (kind === 'urgent' ? urgent_queue.waited(kind) : shared_queue.waited(kind)),
      waitingOf: (kind) => (kind === 'urgent' ? urgent_queue.waiting(kind) : shared_queue.waiting(kind)),
      connections: () => ({ shared: stateOf(pools.shared), urgent: stateOf(pools.urgent), background: stateOf(pools.background) }),
    },
    close,
  };
}

const stateOf = ({ totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  in_use: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});
