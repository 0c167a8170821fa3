import { day, hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import { sealer } from '../../secrets/seal.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { goodPassword, type TestServer, testServer } from '../../testing/world.ts';
import { requestCallJobs, screen_first, sealedCall } from './request-calls.ts';
import { requestStore } from './request-store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Family = Awaited<ReturnType<typeof familyInTrouble>>;

async function familyInTrouble(options?: { guardian?: boolean }) {
  const ann = await incidentFamily(server, options);
  await ann.stops();
  return {
    ...ann,
    stateOf: async (request: unknown) => (await ann.call(`GET /web/requests/${String(request)}`)).body,
    profile: async () => (await ann.call(`GET /web/devices/${ann.device.uuid}`)).body.policy,
    profileStored: async () =>
      (await server.db.selectFrom('devices').select('policy').where('uuid', '=', ann.device.uuid).executeTakeFirstOrThrow()).policy,
    strict: () => ann.call(`POST /web/devices/${ann.device.uuid}`, { name: 'Den PC', policy: 'strict' }),
    sealedCall: async (request: unknown) =>
      (
        await server.db
          .selectFrom('held_requests')
          .select(['account', 'sealed_call'])
          .where('uuid', '=', String(request))
          .executeTakeFirstOrThrow()
      ).sealed_call,
  };
}

/** After this nobody waits at a screen any more. */
async function afterTheScreen() {
  server.clock.turn(screen_first);
  await server.app.worker.idle();
}

async function makeCallAgain(request: unknown) {
  const { account } = await server.db
    .selectFrom('held_requests')
    .select('account')
    .where('uuid', '=', String(request))
    .executeTakeFirstOrThrow();
  await server.db
    .transaction()
    .execute((trx) => enqueuer(server.clock)(trx, 'request_call', `again:${String(request)}`, { request: String(request), account }));
  await server.app.worker.idle();
}

const subjects = async (email: string, pattern: RegExp) =>
  (await server.mailsTo(email)).map(({ subject }) => subject).filter((one) => pattern.test(one));

test('[P15.8] after a yes the change is done with no screen open, once; before the yes it is not', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  await afterTheScreen();
  expect(await ann.profile()).toBe('strict');
  await ann.answer(request, 'yes');
  await afterTheScreen();
  expect(await ann.profile()).toBe('permissive');
  expect(await ann.stateOf(request)).toMatchObject({ state: 'done' });
  expect((await server.mailsTo(ann.email)).find(({ subject }) => subject.startsWith('Bob said yes'))?.text).toContain('We do it now.');
  await ann.strict();
  await makeCallAgain(request);
  expect(await ann.profile()).toBe('strict');
});

test('[P15.8] a screen that waits does the change itself, and the server does it no second time', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  await ann.answer(request, 'yes');
  expect((await ann.weaker()).status).toBe(200);
  await ann.strict();
  await afterTheScreen();
  expect(await ann.profile()).toBe('strict');
});

test('[P15.8] a screen that is slower than the server asks nobody again', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  await ann.answer(request, 'yes');
  await afterTheScreen();
  expect((await ann.weaker()).status).toBe(200);
  await ann.strict();
  expect(await ann.weaker()).toMatchObject({ status: 409, body: { code: 'request_closed' } });
  expect(await subjects(ann.bob?.email ?? '', /wants to/)).toHaveLength(1);
  server.clock.turn(2 * minute);
  expect((await ann.weaker()).body.code).toBe('held');
});

test('[P15.8] a no, and the holder who takes it back, end the wait: nothing is done later', async () => {
  for (const answer of [(ann: Family, request: unknown) => ann.answer(request, 'no'), takesBack]) {
    const ann = await familyInTrouble();
    const { request } = (await ann.weaker()).body;
    expect(await ann.sealedCall(request)).not.toBeNull();
    await answer(ann, request);
    expect(await ann.sealedCall(request)).toBeNull();
    await afterTheScreen();
    expect(await ann.profile()).toBe('strict');
    expect(await ann.stateOf(request)).toMatchObject({ state: 'no' });
  }
});
const takesBack = (ann: Family, request: unknown) => ann.call(`POST /web/requests/${String(request)}`, { answer: 'no' });

test('[P15.8] a no within seconds of the yes wins over it', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  await ann.answer(request, 'yes');
  await ann.answer(request, 'no');
  await afterTheScreen();
  expect(await ann.profile()).toBe('strict');
});

test('[P15.8] the holder has one email about what no longer fits after the yes, with the reason', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.allow()).body;
  const [incident] = await ann.incidents();
  expect((await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'allow_hour' })).status).toBe(200);
  await ann.answer(request, 'yes');
  await afterTheScreen();
  await makeCallAgain(request);
  expect(await ann.stateOf(request)).toMatchObject({ state: 'impossible', because: expect.stringContaining('already') });
  expect(await subjects(ann.email, /could not be done any more/)).toHaveLength(1);
  expect(await subjects(ann.bob?.email ?? '', /could not be done any more/)).toEqual([]);
  expect(await ann.allowed()).toHaveLength(1);
  const { events } = (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body as unknown as { events: { words: string }[] };
  expect(events.map(({ words }) => words).filter((words) => words.includes('could not be done'))).toHaveLength(1);
});

test('[P15.8] changes that needed the password are done without it after the yes', async () => {
  const ann = await familyInTrouble();
  const [old, other] = ['+12025550143', '+12025550178'].map((phone_number) => ({ phone_number, current_password: goodPassword }));
  expect((await ann.call('PATCH /web/profile', old)).status).toBe(200);
  for (const asked of [
    await ann.call('POST /web/account/deletion', { current_password: goodPassword }),
    await ann.call('PATCH /web/profile', other),
  ]) {
    expect(asked.body.code).toBe('held');
    await ann.answer(asked.body.request, 'yes');
  }
  await afterTheScreen();
  expect((await ann.call('GET /web/account/deletion')).body.deletes).not.toBeNull();
  expect((await ann.call('GET /web/profile')).body.phone_number).toBe(other?.phone_number);
});

test('[P15.8] the stored call has no password, passkey or code; a call with a new password or about the Admin PIN is not stored', () => {
  const sealer = { seal: (text: string) => text };
  const call = { endpoint: 'PATCH /api/web/profile', path: '/api/web/profile', params: {} };
  const body = { phone_number: '+12025550143', current_password: 'a', passkey: { id: 'b' }, code: 'c' };
  const stored = { method: 'PATCH', path: '/api/web/profile', body: { phone_number: '+12025550143' } };
  expect(JSON.parse(sealedCall(sealer, { ...call, body }, ['phone_changed']) ?? '')).toEqual(stored);
  expect(sealedCall(sealer, { ...call, body: { ...body, password: 'new' } }, ['phone_changed'])).toBeNull();
  for (const kind of ['pin_shown', 'pin_reset'] as const) expect(sealedCall(sealer, { ...call, body: {} }, [kind])).toBeNull();
});

test('[P15.8] a yes about the Admin PIN lets its caller through for ten minutes, since only they can read the answer', async () => {
  const ann = await familyInTrouble();
  const show = () => ann.call('GET /web/bypasspassword');
  const { request } = (await show()).body;
  await ann.answer(request, 'yes');
  await afterTheScreen();
  expect(await ann.stateOf(request)).toMatchObject({ state: 'yes' });
  expect((await show()).body.bypass_password).toMatch(/^\d{6}$/);
  const second = (await ann.call('POST /web/bypasspassword')).body;
  await ann.answer(second.request, 'yes');
  server.clock.turn(11 * minute);
  expect((await ann.call('POST /web/bypasspassword')).body.code).toBe('held');
});

test('[P15.8] the holder has one email about a change that nobody answers, and can do it with the password; an answered change has none', async () => {
  const [ann, bea] = [await familyInTrouble(), await familyInTrouble()];
  await ann.stops();
  const { request } = (await ann.weaker()).body;
  await bea.answer((await bea.weaker()).body.request, 'no');
  server.clock.turn(day - hour);
  for (const family of [ann, bea]) await family.stops();
  server.clock.turn(hour);
  await server.app.worker.idle();
  expect(await ann.sealedCall(request)).toBeNull();
  expect(await subjects(ann.email, /^Nobody has answered/)).toHaveLength(1);
  expect(await subjects(bea.email, /^Nobody has answered/)).toEqual([]);
  await ann.password();
  expect((await ann.weaker()).status).toBe(200);
});

test('[P15.8] a change that no longer has to wait, since the incident is over, is no email, and its call is deleted after a day', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  server.clock.turn(day - 1);
  await server.app.worker.idle();
  expect(await ann.sealedCall(request)).not.toBeNull();
  server.clock.turn(1);
  await server.app.worker.idle();
  expect(await ann.sealedCall(request)).toBeNull();
  expect(await subjects(ann.email, /^Nobody has answered/)).toEqual([]);
});

test('[P15.8] where nobody can answer, the holder has one email after an hour, and the call is deleted after a day', async () => {
  const ann = await familyInTrouble({ guardian: false });
  const { request } = (await ann.weaker()).body;
  server.clock.turn(hour);
  await server.app.worker.idle();
  expect(await subjects(ann.email, /^The wait is over/)).toHaveLength(1);
  expect(await ann.sealedCall(request)).not.toBeNull();
  server.clock.turn(22 * hour);
  await ann.stops();
  server.clock.turn(hour);
  await server.app.worker.idle();
  expect(await subjects(ann.email, /^The wait is over/)).toHaveLength(1);
  expect(await ann.sealedCall(request)).toBeNull();
});

test('[P15.8] a change that the server made once the incident was over is still taken back by a no', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  const [incident] = await ann.incidents();
  await ann.answer(request, 'yes');
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  await afterTheScreen();
  expect(await ann.profile()).toBe('permissive');
  expect((await ann.answer(request, 'no')).body).toMatchObject({ state: 'undone' });
  expect(await ann.profile()).toBe('strict');
});

test('[P15.8] a change that needs a plan is impossible once the plan has ended', async () => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  await ann.answer(request, 'yes');
  await server.db.deleteFrom('subscriptions').execute();
  await afterTheScreen();
  expect(await ann.stateOf(request)).toMatchObject({ state: 'impossible' });
  expect(await ann.profileStored()).toBe('strict');
});

test.each([429, 503])('[P15.8] a call that the server answered with %i is made again later, and no email is sent', async (status) => {
  const ann = await familyInTrouble();
  const { request } = (await ann.weaker()).body;
  await ann.answer(request, 'yes');
  const { account } = await server.db
    .selectFrom('held_requests')
    .select('account')
    .where('uuid', '=', String(request))
    .executeTakeFirstOrThrow();
  const jobs = requestCallJobs({
    ...{
      db: server.db,
      clock: server.clock,
      sealer: sealer('a secret key for tests, thirty-two characters'),
      requests: requestStore(server.db, server.clock),
    },
    facts: { deviceWords: async () => ({ person: null, time_zone: 'UTC' }) },
    notify: async () => {},
    callsWait: async () => true,
    makeOwnCall: async () => ({ status, body: null }),
  });
  await expect(jobs.request_call({ request: String(request), account })).rejects.toThrow(`answered with ${status}`);
  expect(await ann.stateOf(request)).toMatchObject({ state: 'yes' });
  await afterTheScreen();
  expect(await ann.stateOf(request)).toMatchObject({ state: 'done' });
});

test('[P15.8] nobody outside can make a call as the server does', async () => {
  const ann = await familyInTrouble();
  const call = { headers: { 'x-own-call': 'AAAA' } };
  expect((await server.call(`GET /web/devices/${ann.device.uuid}`, call)).status).toBe(401);
  expect((await server.call(`GET /web/devices/${ann.device.uuid}`, { ...call, token: ann.token })).status).toBe(200);
});
