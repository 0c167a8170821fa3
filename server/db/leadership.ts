import { setTimeout as wait } from 'node:timers/promises';
import { type OwnConnection, openOwnConnection } from './own-connection.ts';

export interface Candidate {
  /** Called when this process becomes the leader. */
  began(): void;
  /** Called when it no longer is. */
  ended(): void;
  /** False while it cannot lead. A leader for which this is false for five seconds gives up. */
  isEligible(): boolean;
}

export interface Leadership {
  isLeader(): boolean;
  /** Ends the connection, and with it the leadership. */
  close(): Promise<void>;
}

const interval_ms = 1_000;
/** In intervals. */
const ineligibleLimit = 5;
const connectTimeout_ms = 10_000;
/** The time limit of a statement, after which the connection is given up. */
const queryTimeout_ms = 5_000;

/** PostgreSQL ends the connection of a process that is frozen, and of a computer that is gone, after this time without a statement. */
const idleTimeout_ms = 10_000;

/**
 * Makes one of all processes with this `key` and database the leader, by an advisory lock on a connection of its own. The others try again each
 * second, so that another one leads about a second after the leader's connection has ended.
 *
 * It does not exclude a second leader at every moment. PostgreSQL frees the lock when the connection ends, and the leader notices that when it
 * next reads from it: within milliseconds; within six seconds if the connection is cut without an end, as its statement of each second then
 * gets no answer; and if the process was frozen for ten seconds, after which PostgreSQL ends the connection, with
 * the first events that it handles afterwards. So what the leader does must be harmless
 * if another one does it too.
 */
export function leadership(url: string, key: string, candidate: Candidate, { idle_ms = idleTimeout_ms } = {}): Leadership {
  const closing = new AbortController();
  const { signal } = closing;
  let leads = false;

  const setLeads = (value: boolean) => {
    if (value === leads) return;
    leads = value;
    if (value) candidate.began();
    else candidate.ended();
  };

  /** Until the connection ends, or a leader is not eligible for too long. */
  const campaign = async ({ query, isEnded, ended }: Session) => {
    let ineligible = 0;
    while (!isEnded() && ineligible < ineligibleLimit) {
      const eligible = candidate.isEligible();
      ineligible = leads && !eligible ? ineligible + 1 : 0;
      const tries = eligible && !leads;
      // The statement of a leader shows that the connection still works.
      const got = await query(
        tries ? 'select pg_try_advisory_lock(hashtextextended($1, 0)) as yes' : 'select false as yes',
        tries ? [key] : [],
      );
      if (got && !isEnded()) setLeads(true);
      await Promise.race([ended, wait(interval_ms, undefined, { signal })]);
    }
  };

  const run = async () => {
    while (!signal.aborted) {
      const session = await openSession(url, signal, idle_ms).catch(() => null);
      if (session) {
        void session.ended.then(() => setLeads(false));
        await campaign(session).catch(() => {});
        // Before PostgreSQL frees the lock, so that another leader begins afterwards.
        setLeads(false);
        session.end();
        await session.ended;
      }
      await wait(interval_ms, undefined, { signal }).catch(() => {});
    }
  };
  const stopped = run();
  return {
    isLeader: () => leads,
    async close() {
      closing.abort();
      await stopped;
    },
  };
}

interface Session extends Omit<OwnConnection, 'client'> {
  query(text: string, values: string[]): Promise<boolean>;
}

async function openSession(url: string, signal: AbortSignal, idle_ms: number): Promise<Session> {
  const config = { connectionString: url, connectionTimeoutMillis: connectTimeout_ms, query_timeout: queryTimeout_ms };
  const { client, ...connection } = await openOwnConnection(config, signal, (opened) =>
    opened.query("select set_config('idle_session_timeout', $1, false)", [String(idle_ms)]),
  );
  return { ...connection, query: async (text, values) => (await client.query<{ yes: boolean }>(text, values)).rows[0]?.yes === true };
}
