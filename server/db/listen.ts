import pg from 'pg';

export type Channel = 'jobs' | 'device' | 'definitions';

export interface Listener {
  /** Calls back for each notice, with '' after a reconnect, when some may have been missed. */
  on(channel: Channel, heard: (payload: string) => void): void;
  close(): Promise<void>;
}

const channels: Channel[] = ['jobs', 'device', 'definitions'];

/** One connection of its own that hears PostgreSQL's notices; connects again by itself, at most a second later. */
export async function listen(url: string): Promise<Listener> {
  const heard = new Map<Channel, ((payload: string) => void)[]>();
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = (channel: Channel, payload: string) => {
    for (const callback of heard.get(channel) ?? []) callback(payload);
  };
  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    next.on('notification', (n) => tell(n.channel as Channel, n.payload ?? ''));
    next.on('error', () => {});
    next.on('end', () => {
      if (!closed && client === next) timer = setTimeout(reconnect, 200);
    });
    await next.connect();
    for (const channel of channels) await next.query(`listen ${channel}`);
    client = next;
  };
  const reconnect = () => {
    connect().then(
      () => {
        for (const channel of channels) tell(channel, '');
      },
      () => {
        if (!closed) timer = setTimeout(reconnect, 1000);
      },
    );
  };

  await connect();
  return {
    on: (channel, callback) => void heard.set(channel, [...(heard.get(channel) ?? []), callback]),
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
