import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTables } from '../db/account-data.ts';
import { commandsOf } from '../testing/command.ts';
import { growAlerts } from '../testing/grow.ts';
import { type Plan, planOf, rowsRead, statementsOf } from '../testing/statements.ts';
import { linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, undefined, { storedShop: true });
});
afterAll(() => server.close());

const run = commandsOf(() => server);
const accountOf = (email: string) =>
  server.db.selectFrom('accounts').select(['uuid', 'email']).where('email', '=', email).executeTakeFirstOrThrow();
const othersRows = 2000;
/** So many that PostgreSQL does not find it cheaper to read all of them. */
const finishedJobs = 20_000;

/** An account with a device and 20 alerts, beside one with thousands of rows in each of the tables that grow. */
async function besideAFullAccount() {
  const [ann, eve] = [await person(server), await person(server)];
  const annsDevice = await linkedDevice(server, ann.token);
  const now = server.clock.now();
  const { uuid } = await accountOf(eve.email);
  await sql`insert into devices (uuid, account, name, policy, policy_version, created, protecting)
    select gen_random_uuid(), ${uuid}, 'PC ' || n, 'strict', 1, ${now}, true from generate_series(1, 100) n`.execute(server.db);
  await sql`insert into detections (uuid, device, account, time, received, name, identifier, category, details, blocked, certainty)
    select gen_random_uuid(), uuid, account, ${now}, ${now}, 'AnyDesk', 'grown-' || n, 'RemoteControl', '', true, 'likely'
    from devices, generate_series(1, ${othersRows / 100}) n where account = ${uuid}`.execute(server.db);
  await growAlerts(server.db, annsDevice.uuid, 20, now);
  await sql`insert into activity_log (uuid, account, kind, time, received, notified)
    select gen_random_uuid(), ${uuid}, 'paused', ${now}, ${now}, 'repeated' from generate_series(1, ${othersRows})`.execute(server.db);
  await sql`insert into deliveries (key, account, kind, about, name, channel, time)
    select 'alert:' || n, ${uuid}, 'alert', 'a', 'Eve', 'mail', ${now} from generate_series(1, ${othersRows}) n`.execute(server.db);
  await sql`insert into jobs (id, kind, unique_key, payload, run_at, created, done_at, lane)
    select gen_random_uuid(), 'mail', 'alert:' || n, '{}', ${now}, ${now}, ${now}, 'mail_urgent' from generate_series(1, ${finishedJobs}) n`.execute(
    server.db,
  );
  await sql`insert into device_reports (device, uuid, time)
    select uuid, gen_random_uuid(), ${now} from devices, generate_series(1, ${othersRows / 100}) where account = ${uuid}`.execute(
    server.db,
  );
  for (const table of ['devices', 'activity_log', 'deliveries', 'jobs', 'device_reports'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(server.db);
  return { ann, eve };
}

test('a deletion reads no other account’s rows where an index exists', async () => {
  const { ann, eve } = await besideAFullAccount();
  const account = await accountOf(ann.email);
  const read: Record<string, number> = {};
  for (const { name, owned } of accountTables) {
    const { sql: text, parameters } = sql`delete from ${sql.table(name)} where ${owned(account)}`.compile(server.db);
    read[name] = rowsRead(await planOf(server, { text, values: [...parameters] }), name);
  }
  for (const [name, rows] of Object.entries(read)) expect([name, rows < 200]).toEqual([name, true]);
  expect(read.detections).toBeGreaterThanOrEqual(20);
  expect((await run('accounts', 'delete', '--email', ann.email, '--yes')).code).toBe(0);
  expect((await run('accounts', 'find', eve.email)).out).toContain(eve.email);
  const { count } = await server.db
    .selectFrom('detections')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(othersRows);
});

test('a page of the list reads its own accounts by index, however many there are', async () => {
  await sql`insert into accounts (uuid, name, email, password_hash, device_limit, created)
    select gen_random_uuid(), 'Many', 'many' || lpad(n::text, 5, '0') || '@example.org', 'x', 0, now() from generate_series(1, 5000) n`.execute(
    server.db,
  );
  await sql`vacuum analyze accounts`.execute(server.db);
  const statements = await statementsOf(() => run('accounts', 'list', '--limit', '10', '--after', 'many02500@example.org'));
  const plans: Plan[][] = [];
  for (const statement of statements.filter(({ text }) => text.includes('"accounts" as "a"'))) plans.push(await planOf(server, statement));
  expect(plans).toHaveLength(1);
  expect(rowsRead(plans[0] ?? [], 'accounts')).toBeLessThanOrEqual(11);
});
