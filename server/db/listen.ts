import pg from 'pg';

export type Channel = 'jobs' | 'device' | 'definitions';

export interface Listener {
  /** `callback` gets '' after a reconnect, when notifications may have been missed. */
  on(channel: Channel, callback: (payload: string) => void): void;
  close(): Promise<void>;
}

const channels: Channel[] = ['jobs', 'device', 'definitions'];

/** Uses a connection of its own, which reconnects within about a second. */
export async function listen(url: string): Promise<Listener> {
  const callbacksOf = new Map<Channel, ((payload: string) => void)[]>();
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const emit = (channel: Channel, payload: string) => {
    for (const callback of callbacksOf.get(channel) ?? []) callback(payload);
  };
  const connect = async (): Promise<void> => {
    const nextClient = new pg.Client({ connectionString: url, keepAlive: true });
    nextClient.on('notification', (n) => emit(n.channel as Channel, n.payload ?? ''));
    nextClient.on('error', () => {});
    nextClient.on('end', () => {
      if (!closed && client === nextClient) timer = setTimeout(reconnect, 200);
    });
    await nextClient.connect();
    for (const channel of channels) await nextClient.query(`listen ${channel}`);
    client = nextClient;
  };
  const reconnect = () => {
    connect().then(
      () => {
        for (const channel of channels) emit(channel, '');
      },
      () => {
        if (!closed) timer = setTimeout(reconnect, 1000);
      },
    );
  };

  await connect();
  return {
    on: (channel, callback) => void callbacksOf.set(channel, [...(callbacksOf.get(channel) ?? []), callback]),
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
