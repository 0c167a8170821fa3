import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { growAlerts } from './grow.ts';
import { planOf, rowsRead, type Statement, statementsOf } from './statements.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

/** What an account with very many alerts, or a server with very many devices and jobs, costs: rows that are read, not milliseconds. */

const many = 20_000;
const older = 5_000;
const hour = 3_600_000;

let server: TestServer;
let token = '';
let device = '';
let open = '';
let counted = '';
beforeAll(async () => {
  server = await testServer();
  ({ token } = await person(server));
  const linked = await linkedDevice(server, token);
  device = linked.uuid;
  // The first one was not blocked, and one more was counted into it.
  const first = detection(server, { blocked: false });
  const second = detection(server, { blocked: false });
  open = first.uuid;
  counted = second.uuid;
  await server.call('POST /agent/detections', { token: linked.agent, body: { detections: [first, second] } });
  server.clock.turn(hour);
  await grow();
}, 120_000);
afterAll(() => server.close());

/** `many` blocked alerts of the last hour, `many` devices that were heard just now, and `many` mails that went out. */
async function grow() {
  const now = server.clock.now();
  const account = sql`(select account from devices where uuid = ${device})`;
  await growAlerts(server.db, device, many, now);
  // What was not stopped long ago is not looked at when the newest of the last day is asked for.
  await growAlerts(server.db, device, older, new Date(now.getTime() - 10 * 24 * hour), false);
  await sql`insert into devices (uuid, account, name, policy, created, last_seen)
    select gen_random_uuid(), ${account}, 'PC ' || n, 'strict', ${now}, ${now} from generate_series(1, ${many}) n`.execute(server.db);
  await sql`insert into jobs (id, kind, lane, payload, unique_key, run_at, created, done_at)
    select gen_random_uuid(), 'mail', 'mail_ordinary', '{}', 'grown-' || n, ${now}, ${now}, ${now} from generate_series(1, ${many}) n`.execute(
    server.db,
  );
  await sql`vacuum analyze devices`.execute(server.db);
  await sql`vacuum analyze jobs`.execute(server.db);
}

/** Of these statements the most rows that one of them reads of the table. */
async function mostRead(statements: Statement[], table: string): Promise<number> {
  const reading = statements.filter(({ text }) => text.includes(`"${table}"`) || text.includes(` ${table} `));
  expect(reading.length).toBeGreaterThan(0);
  const plans = await Promise.all(reading.map((statement) => planOf(server, statement)));
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

test('[7.16] the first page of the history, and the newest alert that was not stopped, read some dozens of rows', async () => {
  const { body, statements } = await get('?offset=0&length=25');
  expect([body.items?.length, body.unblocked?.uuid]).toEqual([25, open]);
  expect(await mostRead(statements, 'detections')).toBeLessThan(200);
});

test('[7.16] a page far down reads the rows that it passes over once, and counts repeats for its own rows alone', async () => {
  const offset = many - 20;
  const { body, statements } = await get(`?offset=${offset}&length=25`);
  expect(body.items?.length).toBe(25);
  expect(body.items?.[20]).toMatchObject({ uuid: open, info: { times: 2 } });
  expect(await mostRead(statements, 'detections')).toBeLessThan(offset + 200);
});

test('[7.16] a page of one device is found by its index', async () => {
  const { body, statements } = await get(`?offset=100&length=25&device=${device}`);
  expect(body.items?.length).toBe(25);
  expect(await mostRead(statements, 'detections')).toBeLessThan(400);
});

test('one alert is found by its own id and by that of a repeat, without a look at the others', async () => {
  for (const uuid of [open, counted]) {
    const { body, statements } = await get(`/${uuid}`);
    expect(body).toMatchObject({ uuid: open, info: { times: 2 } });
    expect(await mostRead(statements, 'detections')).toBeLessThan(20);
  }
});

test('the hourly look finds who fell silent, and forgets its own jobs, without reading all devices or all jobs', async () => {
  const { email, token: other } = await person(server);
  const silent = await linkedDevice(server, other, 'Attic PC');
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
  const looks = statements.filter(
    ({ text }) => text.includes('"server_uptime"') || text.includes(' server_uptime ') || text.startsWith('delete from "jobs"'),
  );
  expect(
    await mostRead(
      looks.filter(({ text }) => text.includes('devices')),
      'devices',
    ),
  ).toBeLessThan(100);
  expect(await mostRead(looks, 'jobs')).toBeLessThan(200);
});
