import { setTimeout as wait } from 'node:timers/promises';
import { type OwnConnection, openOwnConnection } from './own-connection.ts';

export type Channel = 'jobs' | 'device' | 'definitions';

export interface Listener {
  /** `callback` gets '' after a reconnect, when notifications may have been missed. */
  on(channel: Channel, callback: (payload: string) => void): void;
  /** Ends the connection, even while it is being opened. */
  close(): Promise<void>;
}

const channels: Channel[] = ['jobs', 'device', 'definitions'];
/** In milliseconds. */
const connectTimeout = 10_000;
const keepAliveDelay = 10_000;
const pauseAfterLoss = 200;
const pauseAfterFailure = 1_000;

/** Uses a connection of its own, which reconnects within about a second. Throws if the first connection fails. */
export async function listen(url: string): Promise<Listener> {
  const callbacksOf = new Map<Channel, ((payload: string) => void)[]>();
  const closing = new AbortController();
  const { signal } = closing;
  const emit = (channel: Channel, payload: string) => {
    for (const callback of callbacksOf.get(channel) ?? []) callback(payload);
  };

  /** There is only one connection at a time: the next one is opened after the last one has ended. */
  const stayConnected = async (first: OwnConnection) => {
    for (let connection: OwnConnection | null = first; !signal.aborted; ) {
      await connection?.ended;
      await wait(connection ? pauseAfterLoss : pauseAfterFailure, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      connection = await connect(url, signal, emit).catch(() => null);
      if (connection) for (const channel of channels) emit(channel, '');
    }
  };

  const connected = stayConnected(await connect(url, signal, emit));
  return {
    on: (channel, callback) => void callbacksOf.set(channel, [...(callbacksOf.get(channel) ?? []), callback]),
    async close() {
      closing.abort();
      await connected;
    },
  };
}

/** Opens a connection that listens to all channels. */
function connect(url: string, signal: AbortSignal, notify: (channel: Channel, payload: string) => void): Promise<OwnConnection> {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
  };
  return openOwnConnection(config, signal, async (client) => {
    client.on('notification', ({ channel, payload = '' }) => notify(channel as Channel, payload));
    for (const channel of channels) await client.query(`listen ${channel}`);
  });
}
