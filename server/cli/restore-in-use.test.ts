// Tier: whole. It restores whole backups.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBackup } from '../backup/read-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { type OpenDb, openDb } from '../db/open.ts';
import { backupWorld, query } from '../testing/backup-world.ts';
import { untilItWaits } from '../testing/command.ts';
import { rowHashes } from '../testing/row-hashes.ts';
import { fakeAddress, goodPassword, until } from '../testing/world.ts';
import type { CommandResult } from './run.ts';

const { url, emptyDatabase, backup, restored, serverOn } = backupWorld();

let target = '';
let path = '';
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  path = await backup();
  target = await emptyDatabase();
  expect((await restored(target, path)).code).toBe(0);
}, 60_000);
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Restores over the rows of `target`. `meanwhile` runs once the rows of the backup are loaded, and before the tables change places. */
const restoreWhile = async (meanwhile: () => Promise<unknown>): Promise<CommandResult> => {
  const { header } = await checkBackup(path);
  return restoreBackup({ path, header, database_url: target, replace: true, raiseEpoch: meanwhile }).then(
    () => ({ code: 0, out: '', err: '' }),
    (reason: Error) => refused(reason.message),
  );
};
const refused = (err: string): CommandResult => ({ code: 1, out: '', err });
const succeeded = { code: 0, out: '', err: '' };

/** Connects as servers and commands do. */
function connectAsServer(): OpenDb {
  const connection = openDb(target, 1);
  closers.push(connection.close);
  return connection;
}

/** Has a table open, so that nobody can change what it is, as a person at psql may. */
async function tableReader() {
  const client = new pg.Client({ connectionString: target });
  client.on('error', () => {});
  await client.connect();
  closers.push(() => client.end());
  const opened = Promise.withResolvers<void>();
  return {
    async open(table: string) {
      await client.query('begin');
      await client.query(`lock table ${table} in access share mode`);
      opened.resolve();
    },
    close: () => client.query('rollback'),
    async untilSomethingWaits(restoring: Promise<CommandResult>, table: string) {
      await opened.promise;
      await untilItWaits(restoring, client, table);
    },
  };
}

const write = ({ db }: OpenDb, key: string) => db.insertInto('rate_counts').values({ key, count: 1, ends: new Date() }).execute();
const written = async (key: string) => (await query(target, `select from rate_counts where key = '${key}'`)).length;
const workSchemas = () => query(target, `select from pg_namespace where nspname = 'porchlight_restore'`);

const hasConnected =
  'A Porchlight server or command has connected to this database while the backup was loaded. Nothing was restored, and everything is as it was. Stop it, and restore again.';
const hasWritten =
  'Something has written into this database while the backup was loaded. Nothing was restored, and everything is as it was, also what was written. Make sure that nothing else uses this database, and restore again.';

describe('[P14.1] no write that was accepted is lost by a restore', () => {
  test('a server that starts while the rows are loaded goes on with what it accepted, and the restore refuses', async () => {
    const email = 'new@example.org';
    let server: Awaited<ReturnType<typeof serverOn>> | undefined;
    const body = { email, password: goodPassword, name: 'New Person', promo: null, signup_code: null };
    const headers = () => ({ 'x-forwarded-for': fakeAddress() });
    const restoring = restoreWhile(async () => {
      server = await serverOn(target);
      closers.push(server.close);
      expect((await server.call('POST /register', { body, headers: headers() })).status).toBe(200);
    });
    expect(await restoring).toEqual(refused(hasConnected));
    expect(await query(target, `select from accounts where email = '${email}'`)).toHaveLength(1);
    expect((await server?.call('POST /login/web', { body: { email, password: goodPassword, until }, headers: headers() }))?.status).toBe(
      200,
    );
    expect(await workSchemas()).toEqual([]);
  });

  test('a command that wrote while the rows were loaded, and has ended, loses nothing, and the restore refuses', async () => {
    const restoring = restoreWhile(async () => {
      const command = connectAsServer();
      await write(command, 'accepted');
      await command.close();
      await until('its connection to end', async () => {
        const connected = await query(
          target,
          `select from pg_stat_activity where datname = current_database() and application_name = 'porchlight'`,
        );
        return connected.length === 0;
      });
    });
    expect(await restoring).toEqual(refused(hasWritten));
    expect(await written('accepted')).toBe(1);
    expect(await workSchemas()).toEqual([]);
  });

  test('a server whose connections have another name, because DATABASE_URL says so, loses nothing, and the restore refuses', async () => {
    const named = new URL(target);
    named.searchParams.set('application_name', 'family');
    target = named.href;
    const restoring = restoreWhile(() => write(connectAsServer(), 'accepted'));
    expect(await restoring).toEqual(refused(hasConnected));
    expect(await written('accepted')).toBe(1);
  });

  test('a server that connects while a restore waits for the tables loses nothing, and the restore refuses', async () => {
    const reader = await tableReader();
    const restoring = restoreWhile(() => reader.open('accounts'));
    await reader.untilSomethingWaits(restoring, 'accounts');
    const server = connectAsServer();
    await write(server, 'accepted');
    await reader.close();
    expect(await restoring).toEqual(refused(hasConnected));
    expect(await written('accepted')).toBe(1);
  });

  test('a server that connects while the tables change places waits, and writes into the restored ones', async () => {
    const reader = await tableReader();
    const restoring = restoreWhile(() => reader.open('porchlight_restore.accounts'));
    await reader.untilSomethingWaits(restoring, 'porchlight_restore.accounts');
    const writing = write(connectAsServer(), 'accepted');
    await reader.untilSomethingWaits(restoring, 'public.rate_counts');
    await reader.close();
    expect(await restoring).toEqual(succeeded);
    await writing;
    expect(await written('accepted')).toBe(1);
    await query(target, `delete from rate_counts where key = 'accepted'`);
    expect(await rowHashes(target)).toEqual(await rowHashes(url()));
  });

  test('a second restore refuses while the first one loads its rows, and the first one succeeds', async () => {
    let second: CommandResult | undefined;
    const first = restoreWhile(async () => {
      second = await restored(target, path, '--replace');
    });
    expect(await first).toEqual(succeeded);
    expect(second?.err).toBe('A Porchlight server or command uses this database. Stop it first, and restore again.\n');
  });

  test('a table that something keeps busy is no reason to wait for ever: the restore refuses, and says so', async () => {
    const reader = await tableReader();
    expect(await restoreWhile(() => reader.open('accounts'))).toEqual(
      refused(
        'Something has kept the tables of this database busy for ten seconds. Nothing was restored, and everything is as it was. Stop whatever uses this database, and restore again.',
      ),
    );
  });
});

test('[P14.1] a restore that nothing uses the database of succeeds, and locks no table that it replaces while it loads the rows', async () => {
  let locked: unknown[] = ['nothing asked'];
  await query(target, `insert into rate_counts (key, count, ends) values ('earlier', 1, now())`);
  const restoring = restoreWhile(async () => {
    locked = await query(
      target,
      `select relation::regclass, mode from pg_locks l join pg_class c on c.oid = l.relation
       where l.database = (select oid from pg_database where datname = current_database()) and c.relnamespace = 'public'::regnamespace`,
    );
  });
  expect(await restoring).toEqual(succeeded);
  expect(locked).toEqual([]);
  expect(await rowHashes(target)).toEqual(await rowHashes(url()));
  expect(await workSchemas()).toEqual([]);
});
