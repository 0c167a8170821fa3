// Tier: whole. It fills the tables with a hundred thousand rows.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOld } from '../db/delete-old.ts';
import { planOf, statementsOf } from './statements.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

/** What incidents and held requests cost with very many of other accounts, in the plans of statements instead of milliseconds. */

const rowCount = 20_000;
const tables = [
  'incidents',
  'incident_events',
  'incident_steps',
  'held_requests',
  'request_answers',
  'activity_log',
  'device_networks',
  'emergency_stops',
  'network_isolations',
  'appointments',
];

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
  await sql`insert into emergency_stops (uuid, account, kind, name, time, until)
    select gen_random_uuid(), ${account}, 'guardian_stop', 'Bob', ${now}, ${now}::timestamptz + interval '1 day' from ${rows}`.execute(
    server.db,
  );
  await sql`insert into network_isolations (uuid, account, device, person, name, time, until, may_end)
    select gen_random_uuid(), ${account}, ${uuid}, ${uuid}, 'Bob', ${now}, ${now}::timestamptz + interval '1 day', true from ${rows}`.execute(
    server.db,
  );
  await sql`insert into appointments (uuid, account, device, identifier, program, person, name, time, until, money_pages)
    select gen_random_uuid(), ${account}, ${uuid}, 'anydesk', 'AnyDesk', ${uuid}, 'Bob', ${now}, ${now}::timestamptz + interval '1 hour', false from ${rows}`.execute(
    server.db,
  );
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

test('with very many emergencies of others, a press, its page, a policy and a call for help read no table from end to end', async () => {
  const guardian = (key: string, body?: object) =>
    server.call(key.replace(':id', bob.uuid), { headers: bob.session, ...(body ? { body } : {}) });
  await server.call(`PATCH /web/guardians/${bob.uuid}`, { token, body: { may_isolate: true } });
  const press = async () => expect((await guardian('POST /guardian/:id/stop', { minutes_offline: 15 })).status).toBe(200);
  const { uuid } = await linkedDevice(server, token, 'Attic PC');
  server.clock.turn(60_000);
  expect(await readWhole(press)).toEqual([]);
  expect(await readWhole(press)).toEqual([]);
  expect(await readWhole(async () => expect((await guardian('GET /guardian/:id/emergency')).status).toBe(200))).toEqual([]);
  expect(await readWhole(async () => expect((await server.call('GET /web/emergency', { token })).status).toBe(200))).toEqual([]);
  expect(await readWhole(async () => expect((await server.call('GET /agent/policy', { token: agent })).status).toBe(200))).toEqual([]);
  expect(await readWhole(async () => expect((await guardian('GET /guardian/:id/appointments')).status).toBe(200))).toEqual([]);
  const help = () => server.call('POST /web/help', { token, body: { device: uuid } });
  expect(await readWhole(async () => expect((await help()).status).toBe(200))).toEqual([]);
});

test('rows of emergencies are deleted a week after their end', async () => {
  const count = async () =>
    Number(
      (
        await sql<{ n: string }>`select (select count(*) from emergency_stops) + (select count(*) from network_isolations) as n`.execute(
          server.db,
        )
      ).rows[0]?.n,
    );
  expect(await count()).toBeGreaterThan(2 * rowCount);
  server.clock.turn(8 * 24 * 3_600_000);
  await deleteOld(server.db, server.clock.now(), { budget_ms: 60_000 });
  expect(await count()).toBe(0);
});
