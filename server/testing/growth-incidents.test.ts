import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOf, statementsOf } from './statements.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

/** What incidents and held requests cost with very many of other accounts, in the plans of statements instead of milliseconds. */

const rowCount = 20_000;
const tables = ['incidents', 'incident_events', 'incident_steps', 'held_requests', 'request_answers', 'activity_log', 'device_networks'];

let server: TestServer;
let token = '';
let agent = '';
let exceptions = '';
let bob: Awaited<ReturnType<typeof activeGuardian>>;
beforeAll(async () => {
  server = await testServer();
  ({ token } = await person(server));
  const device = await linkedDevice(server, token);
  agent = device.agent;
  exceptions = `POST /web/devices/${device.uuid}/v2/exceptions`;
  bob = await activeGuardian(server, token, 'Bob');
  // A guardian of the account's first day may answer about what happens later.
  server.clock.turn(60_000);
  await grow();
}, 120_000);
afterAll(() => server.close());

/** Another account with very many of everything, all of the last hour. */
async function grow() {
  const now = server.clock.now();
  const { token: other } = await person(server);
  const { uuid } = await linkedDevice(server, other);
  const account = sql`(select account from devices where uuid = ${uuid})`;
  const rows = sql`generate_series(1, ${rowCount}) n`;
  await sql`insert into incidents (uuid, account, device, device_name, opened, opener, last_opener)
    select gen_random_uuid(), ${account}, gen_random_uuid(), 'PC', ${now}, 'started', ${now} from ${rows}`.execute(server.db);
  await sql`insert into incident_events (incident, time, kind, what) select uuid, opened, 'opened', 'started' from incidents`.execute(
    server.db,
  );
  await sql`insert into incident_steps (incident, step, person, name, time)
    select uuid, 'hang_up', ${uuid}, 'Ann', opened from incidents`.execute(server.db);
  await sql`insert into held_requests (uuid, account, incident, call_mac, activities, time, rule, cause)
    select uuid, account, uuid, 'x', '[]', opened, 'day', 'incident' from incidents`.execute(server.db);
  await sql`insert into request_answers (request, person, answer, name, time)
    select uuid, ${uuid}, 'no', 'Ann', time from held_requests`.execute(server.db);
  await sql`insert into activity_log (uuid, account, device, device_name, kind, what, actor, notified, time, received, counted)
    select gen_random_uuid(), ${account}, ${uuid}, 'PC', 'allowed', 'AnyDesk', 'Ann', 'repeated', ${now}, ${now}, 'n' || n from ${rows}`.execute(
    server.db,
  );
  await sql`insert into device_networks (device, network_hash, seen)
    select ${uuid}, int4send(n), ${now} from ${rows}`.execute(server.db);
  for (const table of tables) await sql`vacuum analyze ${sql.table(table)}`.execute(server.db);
}

/** The tables that one of the statements reads from the first row to the last. */
async function readWhole(work: () => Promise<unknown>): Promise<string[]> {
  const statements = await statementsOf(work);
  expect(statements.length).toBeGreaterThan(0);
  const plans = await Promise.all(statements.map((statement) => planOf(server, statement)));
  const whole = plans.flat().filter((node) => node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'] ?? ''));
  return whole.map((node) => node['Relation Name'] ?? '');
}

const report = () => server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
const allow = () => server.call(exceptions, { token, body: { type: 'definition', identifier: 'anydesk', lasts: null } });

test('with very many incidents of others, a report that opens one and a call that waits read no table from end to end', async () => {
  expect(await readWhole(report)).toEqual([]);
  expect(await readWhole(async () => expect((await allow()).body.code).toBe('held'))).toEqual([]);
  expect(await readWhole(async () => expect((await allow()).body.code).toBe('held'))).toEqual([]);
});

test('with very many incidents of others, the page of one and its answers read no table from end to end', async () => {
  await report();
  const { items } = (await server.call('GET /web/incidents', { token })).body as unknown as { items: { uuid: string }[] };
  const { request } = (await allow()).body;
  const page = () => server.call(`GET /web/incidents/${items[0]?.uuid}`, { token });
  const guardian = (key: string, body?: object) => server.call(key, { headers: bob.session, ...(body ? { body } : {}) });
  expect(await readWhole(async () => expect((await page()).status).toBe(200))).toEqual([]);
  expect(await readWhole(async () => expect((await guardian(`GET /guardian/${bob.uuid}`)).status).toBe(200))).toEqual([]);
  const answers = async () => {
    expect((await guardian(`POST /guardian/${bob.uuid}/requests/${String(request)}`, { answer: 'yes' })).status).toBe(200);
    expect((await guardian(`POST /guardian/${bob.uuid}/incidents/${items[0]?.uuid}`, { answer: 'over' })).status).toBe(200);
  };
  expect(await readWhole(answers)).toEqual([]);
});
