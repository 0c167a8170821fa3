import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

export type Channel = 'jobs' | 'device' | 'definitions';

export interface Listener {
  /** `callback` gets '' after a reconnect, when notifications may have been missed. */
  on(channel: Channel, callback: (payload: string) => void): void;
  /** Ends the connection, also one that is being opened. */
  close(): Promise<void>;
}

const channels: Channel[] = ['jobs', 'device', 'definitions'];
/** In milliseconds. */
const connectTimeout = 10_000;
const pauseAfterLoss = 200;
const pauseAfterFailure = 1_000;

/** Uses a connection of its own, which reconnects within about a second. Throws if the first connection fails. */
export async function listen(url: string): Promise<Listener> {
  const callbacksOf = new Map<Channel, ((payload: string) => void)[]>();
  const closing = new AbortController();
  const emit = (channel: Channel, payload: string) => {
    for (const callback of callbacksOf.get(channel) ?? []) callback(payload);
  };

  /** Null: it could not be opened. */
  const open = async (): Promise<Connection> => {
    const connection = connectionTo(url, (channel, payload) => emit(channel as Channel, payload));
    try {
      await connection.client.connect();
      for (const channel of channels) await connection.client.query(`listen ${channel}`);
      return connection;
    } catch (reason) {
      await connection.end();
      throw reason;
    }
  };

  /** There is only one connection at a time, and the next one is opened after the last one has ended. */
  const stayConnected = async (first: Connection) => {
    for (let connection: Connection | null = first; !closing.signal.aborted; ) {
      if (connection) await Promise.race([connection.ended, once(closing.signal, 'abort')]);
      await connection?.end();
      await wait(connection ? pauseAfterLoss : pauseAfterFailure, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      connection = await open().catch(() => null);
      if (connection) for (const channel of channels) emit(channel, '');
    }
  };

  const connected = stayConnected(await open());
  return {
    on: (channel, callback) => void callbacksOf.set(channel, [...(callbacksOf.get(channel) ?? []), callback]),
    async close() {
      closing.abort();
      await connected;
    },
  };
}

interface Connection {
  client: pg.Client;
  /** Resolves when the connection is lost or ended. Never rejects. */
  ended: Promise<void>;
  end(): Promise<void>;
}

function connectionTo(url: string, notify: (channel: string, payload: string) => void): Connection {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: connectTimeout });
  client.on('notification', ({ channel, payload = '' }) => notify(channel, payload));
  // Without a listener, a lost connection would end this process. Its end is what counts.
  client.on('error', () => {});
  const ended = new Promise<void>((resolve) => void client.once('end', () => resolve()));
  return { client, ended, end: () => client.end().catch(() => {}) };
}
