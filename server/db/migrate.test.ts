// Tier: whole. It migrates databases of every age.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { admin, withDatabase } from '../testing/global-setup.ts';
import { migrate, migrationNames } from './migrate.ts';
import { openDb } from './open.ts';

test('each migration of a database in use is a separate transaction, so that a running server waits for only one; a new database takes one for all', async () => {
  const baseUrl = inject('postgres_url');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin(baseUrl, `create database ${name}`);
  const { db, close } = openDb(withDatabase(baseUrl, name));
  const transactions = async () => {
    const { rows } = await sql<{ migrations: number; transactions: number }>`
      select count(*)::int as migrations, count(distinct xmin::text)::int as transactions from kysely_migration`.execute(db);
    return rows;
  };
  try {
    await migrate(db, { until: '0023-undo' });
    expect(await transactions()).toEqual([{ migrations: 23, transactions: 1 }]);
    await migrate(db);
    expect(await transactions()).toEqual([{ migrations: migrationNames.length, transactions: 1 + migrationNames.length - 23 }]);
  } finally {
    await close();
    await admin(baseUrl, `drop database ${name}`);
  }
});

test('the migration that renames tables of a database in use preserves every row, index and constraint', async () => {
  const baseUrl = inject('postgres_url');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin(baseUrl, `create database ${name}`);
  const { db, close } = openDb(withDatabase(baseUrl, name));
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const run = async (statements: string) => {
    for (const statement of statements.split(';')) if (statement.trim()) await sql.raw(statement).execute(db);
  };
  const rowOf = async (table: string) => {
    const { rows } = await sql<Record<string, unknown>>`select to_jsonb(t) as row from ${sql.table(table)} as t`.execute(db);
    return rows.map(({ row }) => row);
  };
  try {
    await migrate(db, { until: '0023-undo' });
    const times = `timestamptz '2026-11-21 14:05Z'`;
    await run(`
      insert into accounts (uuid, name, email, email_verified, password_hash, device_limit, created)
        values ('${id(1)}', 'Ann Example', 'ann@example.org', true, 'x', 1, ${times});
      insert into devices (uuid, account, name, policy, created) values ('${id(2)}', '${id(1)}', 'Den PC', 'strict', ${times});
      insert into guardians (uuid, account, name, email, invited) values ('${id(3)}', '${id(1)}', 'Bob', 'bob@example.org', ${times});
      insert into acts (uuid, account, kind, device, device_name, what, actor, time, received, told)
        values ('${id(4)}', '${id(1)}', 'allowed', '${id(2)}', 'Den PC', 'AnyDesk', 'Ann', ${times}, ${times}, 'by_itself');
      insert into hearing (since, until) values (${times}, ${times});
      insert into guardian_looks (guardian, time) values ('${id(3)}', ${times});
      insert into silences (device, kind, since, told, early) values ('${id(2)}', 'vanished', ${times}, ${times}, true);
      insert into exceptions (id, device, type, identifier, added) values ('${id(5)}', '${id(2)}', 'definition', 'AnyDesk', ${times});
      insert into budgets (name, day, spent, told) values ('alerts', '2026-11-21', 81, 80)`);
    const oldTables = ['acts', 'hearing', 'guardian_looks', 'silences', 'exceptions', 'budgets'];
    const before = await Promise.all(oldTables.map(rowOf));
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 1, 1]);

    await migrate(db);

    const newTables = ['activity_log', 'server_uptime', 'guardian_visits', 'device_outages', 'allow_list', 'budgets'];
    const renamed: Record<string, string> = { activity_log: 'notified', device_outages: 'notified_at', budgets: 'notified_percent' };
    for (const [n, table] of newTables.entries()) {
      const expected = before[n]?.map((row) =>
        // Columns that later migrations added.
        ({
          ...Object.fromEntries(Object.entries(row as object).map(([key, value]) => [key === 'told' ? renamed[table] : key, value])),
          ...(table === 'activity_log' ? { counted: null, exempt: false } : {}),
        }),
      );
      expect(await rowOf(table), table).toEqual(expected);
    }
    const remainingNames = await sql<{ name: string }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relname ~ '^(acts|hearing|guardian_looks|silences|exceptions)(_|$)'`.execute(db);
    expect(remainingNames.rows).toEqual([]);
    await db.deleteFrom('accounts').where('uuid', '=', id(1)).execute();
    for (const table of ['activity_log', 'guardian_visits', 'device_outages', 'allow_list']) expect(await rowOf(table), table).toEqual([]);
  } finally {
    await close();
    await admin(baseUrl, `drop database ${name}`);
  }
});

test('[P12.1] [P12.4] each migration that adds fields to a policy raises the version of each device’s, so that agents take them', async () => {
  const baseUrl = inject('postgres_url');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await admin(baseUrl, `create database ${name}`);
  const { db, close } = openDb(withDatabase(baseUrl, name));
  const [account, device] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const created = new Date('2026-11-21T14:05:00Z');
  try {
    await migrate(db, { until: '0024-field-words' });
    const holder = { uuid: account, name: 'Ann Example', email: 'ann@example.org', password_hash: 'x', device_limit: 1, created };
    await db.insertInto('accounts').values(holder).execute();
    await db
      .insertInto('devices')
      .values({ uuid: device, account, name: 'Den PC', policy: 'strict', policy_version: 7, created })
      .execute();
    for (const [until, version] of [
      ['0025-browsing-protection', 8],
      ['0034-unlisted', 9],
    ] as const) {
      await migrate(db, { until });
      const devices = await db.selectFrom('devices').select(['uuid', 'policy_version']).execute();
      expect(devices, until).toEqual([{ uuid: device, policy_version: version }]);
    }
  } finally {
    await close();
    await admin(baseUrl, `drop database ${name}`);
  }
});
