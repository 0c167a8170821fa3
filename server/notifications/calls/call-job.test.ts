import { afterAll, beforeAll, expect, test } from 'vitest';
import { consentFamily } from '../../testing/consent-family.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const minute = 60_000;
const bobsNumber = '+12025550143';

/** A server with these settings, and Bob as a guardian with a number, about whom an incident climbs. */
async function climbing(env: Record<string, string> = {}) {
  const server = await testServer(env);
  const family = await incidentFamily(server);
  const row = { phone_number: bobsNumber, phone_number_verified: true, phone_verified_time: null };
  await server.db
    .updateTable('guardians')
    .set(row)
    .where('uuid', '=', family.bob?.uuid ?? '')
    .execute();
  await family.stops();
  return { server, family };
}
const callsOf = (server: TestServer) => server.db.selectFrom('calls').select(['state', 'phone_number']).execute();
const whyOf = async (server: TestServer) =>
  (await server.db.selectFrom('jobs').select('why').where('kind', '=', 'call').execute()).map(({ why }) => why);

test.each([
  ['a country that the operator did not choose', { TEXT_COUNTRIES: 'GB' }, 'country'],
  ['a day whose texts and calls are used up', { ALERT_TEXTS_PER_DAY: '0' }, 'budget'],
])('nobody is called in %s, and the escalation goes on [P11.5]', async (_title, env, why) => {
  const { server } = await climbing(env);
  try {
    server.clock.turn(6 * minute);
    expect(await server.callsTo(bobsNumber)).toEqual([]);
    expect(await callsOf(server)).toMatchObject([{ state: 'failed' }]);
    expect(await whyOf(server)).toEqual([why]);
    server.clock.turn(2 * minute);
    await server.app.worker.idle();
    expect(await callsOf(server)).toHaveLength(2);
  } finally {
    await server.close();
  }
});

test('calls and texts of alerts have one budget, and those for consent that of codes [P11.5]', async () => {
  const { server } = await climbing({ ALERT_TEXTS_PER_DAY: '100', CODE_TEXTS_PER_DAY: '100' });
  try {
    const spent = async (name: string) =>
      (await server.db.selectFrom('budgets').select('spent').where('name', '=', name).executeTakeFirst())?.spent ?? 0;
    // The alert and the second round were texts.
    server.clock.turn(3 * minute);
    await server.app.worker.idle();
    expect(await spent('alerts')).toBe(2);
    server.clock.turn(3 * minute);
    expect(await server.callsTo(bobsNumber)).toHaveLength(1);
    expect([await spent('alerts'), await spent('codes')]).toEqual([3, 0]);
    const mum = await consentFamily(server);
    await mum.call('POST');
    expect(await server.callsTo(mum.phone_number)).toHaveLength(1);
    expect([await spent('alerts'), await spent('codes')]).toEqual([3, 1]);
  } finally {
    await server.close();
  }
});

let server: TestServer;
beforeAll(async () => {
  ({ server } = await climbing());
});
afterAll(() => server.close());

test('a call that the server could not make for two minutes is not made late [P11.1]', async () => {
  const [row] = await server.db.selectFrom('incidents').select(['uuid', 'account']).execute();
  if (!row) throw new Error('there is no incident');
  const call = { uuid: crypto.randomUUID(), account: row.account, purpose: 'guardian', incident: row.uuid, name: 'Bob' } as const;
  const created = new Date(server.clock.now().getTime() - 2 * minute);
  await server.db
    .insertInto('calls')
    .values({ ...call, phone_number: '+12025550144', created, updated: created })
    .execute();
  const now = server.clock.now();
  const payload = JSON.stringify({ call: call.uuid, to: '+12025550144' });
  const job = { id: crypto.randomUUID(), kind: 'call', unique_key: `call:${call.uuid}`, payload, lane: 'voice_urgent' };
  await server.db
    .insertInto('jobs')
    .values({ ...job, run_at: now, created: now })
    .execute();
  expect(await server.callsTo('+12025550144')).toEqual([]);
  const stored = await server.db.selectFrom('calls').select('state').where('uuid', '=', call.uuid).executeTakeFirst();
  expect(stored?.state).toBe('failed');
});

test('a job that runs again after the service took the call makes no second one [P11.1]', async () => {
  server.clock.turn(6 * minute);
  const [call] = await server.callsTo(bobsNumber);
  expect(call?.state).toBe('ringing');
  const again = { done_at: null, run_at: server.clock.now(), failed_at: null };
  const stored = await server.db.selectFrom('calls').select('uuid').where('phone_number', '=', bobsNumber).executeTakeFirstOrThrow();
  const payload = JSON.stringify({ call: stored.uuid, to: bobsNumber });
  await server.db
    .updateTable('jobs')
    .set({ ...again, payload })
    .where('unique_key', '=', `call:${stored.uuid}`)
    .execute();
  expect(await server.callsTo(bobsNumber)).toHaveLength(1);
});
