// Tier: whole. It fills the tables with a hundred thousand rows.
import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { growAlerts } from './grow.ts';
import { planOf, rowsRead, type Statement, statementsOf } from './statements.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

/** Costs with very many alerts, devices and jobs, in rows read instead of milliseconds. */

const rowCount = 20_000;
const older = 5_000;

let server: TestServer;
let token = '';
let device = '';
let openAlert = '';
let countedUuid = '';
beforeAll(async () => {
  server = await testServer();
  ({ token } = await person(server));
  const deviceAndAgent = await linkedDevice(server, token);
  device = deviceAndAgent.uuid;
  // The first detection was not blocked, and a repeat was counted into its alert.
  const firstDetection = detection(server, { blocked: false });
  const repeatedDetection = detection(server, { blocked: false });
  openAlert = firstDetection.uuid;
  countedUuid = repeatedDetection.uuid;
  await server.call('POST /agent/detections', { token: deviceAndAgent.agent, body: { detections: [firstDetection, repeatedDetection] } });
  server.clock.turn(hour);
  await grow();
}, 120_000);
afterAll(() => server.close());

/** Inserts `rowCount` blocked alerts of the last hour, `rowCount` devices online, and `rowCount` sent emails. */
async function grow() {
  const now = server.clock.now();
  const account = sql`(select account from devices where uuid = ${device})`;
  await growAlerts(server.db, device, rowCount, now);
  // Old unblocked alerts must not be read for the newest one of the last day.
  await growAlerts(server.db, device, older, new Date(now.getTime() - 10 * 24 * hour), false);
  await sql`insert into devices (uuid, account, name, policy, created, last_seen)
    select gen_random_uuid(), ${account}, 'PC ' || n, 'strict', ${now}, ${now} from generate_series(1, ${rowCount}) n`.execute(server.db);
  await sql`insert into jobs (id, kind, lane, payload, unique_key, run_at, created, done_at)
    select gen_random_uuid(), 'mail', 'mail_ordinary', '{}', 'grown-' || n, ${now}, ${now}, ${now} from generate_series(1, ${rowCount}) n`.execute(
    server.db,
  );
  await sql`vacuum analyze devices`.execute(server.db);
  await sql`vacuum analyze jobs`.execute(server.db);
}

/** The largest number of rows of a table that one of these statements reads. */
async function mostRead(statements: Statement[], table: string): Promise<number> {
  const readingStatements = statements.filter(({ text }) => text.includes(`"${table}"`) || text.includes(` ${table} `));
  expect(readingStatements.length).toBeGreaterThan(0);
  const plans = await Promise.all(readingStatements.map((statement) => planOf(server, statement)));
  for (const plan of plans) {
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)).toEqual([]);
  }
  return Math.max(...plans.map((plan) => rowsRead(plan, table)));
}

const get = async (path: string) => {
  const reply = { body: {} as Record<string, unknown>, status: 0 };
  const statements = await statementsOf(async () => Object.assign(reply, await server.call(`GET /web/detections${path}`, { token })));
  expect(reply.status).toBe(200);
  return {
    statements,
    body: reply.body as { items?: { uuid: string }[]; unblocked?: { uuid: string }; uuid?: string; info?: { times: number } },
  };
};

test('[7.16] the first page of the history, with the newest unblocked alert, reads fewer than 200 rows', async () => {
  const { body, statements } = await get('?offset=0&length=25');
  expect([body.items?.length, body.unblocked?.uuid]).toEqual([25, openAlert]);
  expect(await mostRead(statements, 'detections')).toBeLessThan(200);
});

test('[7.16] a page far down reads the skipped rows once, and counts repeats only for its own rows', async () => {
  const offset = rowCount - 20;
  const { body, statements } = await get(`?offset=${offset}&length=25`);
  expect(body.items?.length).toBe(25);
  expect(body.items?.[20]).toMatchObject({ uuid: openAlert, info: { times: 2 } });
  expect(await mostRead(statements, 'detections')).toBeLessThan(offset + 200);
});

test('[7.16] a page of one device is found by its index', async () => {
  const { body, statements } = await get(`?offset=100&length=25&device=${device}`);
  expect(body.items?.length).toBe(25);
  expect(await mostRead(statements, 'detections')).toBeLessThan(400);
});

test('one alert is found by its own id and by that of a repeat, without reading the others', async () => {
  for (const uuid of [openAlert, countedUuid]) {
    const { body, statements } = await get(`/${uuid}`);
    expect(body).toMatchObject({ uuid: openAlert, info: { times: 2 } });
    expect(await mostRead(statements, 'detections')).toBeLessThan(20);
  }
});

test('the hourly check finds outages and deletes its own finished jobs without reading all devices or all jobs', async () => {
  const { email, token: otherToken } = await person(server);
  const silent = await linkedDevice(server, otherToken, 'Attic PC');
  const ago = new Date(server.clock.now().getTime() - 10 * 24 * hour);
  await server.db.updateTable('devices').set({ last_seen: ago }).where('uuid', '=', silent.uuid).execute();
  await server.db
    .insertInto('server_uptime')
    .values({ since: ago, until: server.clock.now() })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const statements = await statementsOf(async () => {
    server.clock.turn(hour);
    await server.app.worker.idle();
  });
  const mails = (await server.mailsTo(email)).map(({ subject }) => subject);
  expect(mails.filter((subject) => subject.includes('Attic PC')).length).toBe(1);
  const hourlyStatements = statements.filter(
    ({ text }) => text.includes('"server_uptime"') || text.includes(' server_uptime ') || text.startsWith('delete from "jobs"'),
  );
  expect(
    await mostRead(
      hourlyStatements.filter(({ text }) => text.includes('devices')),
      'devices',
    ),
  ).toBeLessThan(100);
  expect(await mostRead(hourlyStatements, 'jobs')).toBeLessThan(200);
});
