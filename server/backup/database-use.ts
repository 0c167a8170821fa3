import type pg from 'pg';
import { BackupFailure } from './file-format.ts';

/** The name of the connections with which a restore loads its rows: another restore refuses, and this one does not take them for a server's. */
export const loaderName = 'porchlight restore rows';

/** A server that runs would go on with what it remembers of the replaced rows. */
export async function refuseWhileInUse(client: pg.Client, url: string): Promise<void> {
  if (await isConnected(client, [...namesOfServers(url), loaderName]))
    throw new BackupFailure('A Porchlight server or command uses this database. Stop it first, and restore again.');
}

/** The address of the database may give the connections of servers and commands another name than ours. */
const namesOfServers = (url: string): string[] => ['porchlight', new URL(url).searchParams.get('application_name') ?? 'porchlight'];

/** Whether a connection has one of these names, beside `client`. */
async function isConnected(client: pg.Client, names: string[]): Promise<boolean> {
  // Without it PostgreSQL answers as it did to the first question of the same transaction.
  await client.query('select pg_stat_clear_snapshot()');
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = any($1)`,
    [names],
  );
  return rowCount !== 0;
}

/**
 * Equal for as long as nobody writes into the tables that a restore replaces. PostgreSQL counts what a connection has written when that ends, at the latest. A
 * backup that is made meanwhile only notes itself, which the restore does too. A transaction sees the count of its first question.
 */
export async function writesSoFar(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ writes: string }>(
    `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text as writes from pg_stat_user_tables
     where schemaname = current_schema() and relname <> 'last_backup'`,
  );
  return rows[0]?.writes ?? '';
}

/**
 * `writes`: the count of the restore's start. What was written since is in the tables that are replaced, and would be gone. Connections come first, because what
 * was written by those that have ended is counted.
 */
export async function refuseIfUsedSince(client: pg.Client, url: string, writes: string): Promise<void> {
  if (await isConnected(client, namesOfServers(url)))
    throw new BackupFailure(
      'A Porchlight server or command has connected to this database while the backup was loaded. Nothing was restored, and everything is as it was. Stop it, and restore again.',
    );
  if ((await writesSoFar(client)) !== writes)
    throw new BackupFailure(
      'Something has written into this database while the backup was loaded. Nothing was restored, and everything is as it was, also what was written. Make sure that nothing else uses this database, and restore again.',
    );
}
