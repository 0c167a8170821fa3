import { sql } from 'kysely';
import type { Channel } from './listen.ts';
import type { Db, Trx } from './open.ts';

/** Wakes listeners on a channel. Inside a transaction the notification is sent with the commit. */
export async function notify(db: Db | Trx, channel: Channel, payload = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}
