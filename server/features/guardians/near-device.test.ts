import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearAgentCookie } from '../../http/weakening-call.ts';
import {
  activeGuardian,
  detection,
  endIncidents,
  fakeAddress,
  guardianSession,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let numbers = 0;
const codeTo = async (number: string) => (await server.textsTo(number)).flatMap(({ body }) => /\b\d{6}\b/.exec(body)?.[0] ?? [])[0] ?? '';

/** Ann, whose device calls from `home`, and Bob, who verified his number on the account's first day unless he has none. */
async function family({ phone = true } = {}) {
  const home = fakeAddress();
  const { token, email } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token, 'Bob Example');
  const number = phone ? `+1202555${String(4000 + numbers++)}` : null;
  const call = (key: string, body?: object, from: Record<string, string> = { 'x-forwarded-for': fakeAddress() }) =>
    server.call(key.replace(':id', bob.uuid), { headers: { ...bob.session, ...from }, ...(body ? { body } : {}) });
  if (number) {
    await call('PATCH /guardian/:id', { phone_number: number });
    await call('POST /guardian/:id/send-phone-code');
    await call('POST /guardian/:id/verify-phone', { code: await codeTo(number) });
  }
  server.clock.turn(25 * hour);
  const near = { 'x-forwarded-for': home };
  const agentCalls = (key: string, body: object) => server.call(key, { token: device.agent, body, headers: near });
  return {
    ...{ token, email, device, bob, call, near, agentCalls },
    number: number ?? '',
    stops: () => agentCalls('POST /agent/detections', { detections: [detection(server)] }),
    checksIn: () => agentCalls('POST /agent/goodbye', { reason: 'shutdown' }),
    code: async () => {
      server.clock.turn(minute);
      expect((await call('POST /guardian/:id/answer-code', undefined, near)).status).toBe(200);
      return codeTo(number ?? '');
    },
    view: async () => (await call('GET /guardian/:id')).body,
  };
}

const weaker = {
  leaving: ['POST /guardian/:id/leave', {}, { state: 'left' }],
  'switching emails off': ['PATCH /guardian/:id', { email: false }, { mail: false }],
  'switching texts off': ['PATCH /guardian/:id', { sms: false }, { sms: false }],
  'removing the number': ['PATCH /guardian/:id', { phone_number: null }, { phone_number: null }],
  'entering another number': ['PATCH /guardian/:id', { phone_number: '+12025554999' }, { phone_number: '+12025554999' }],
} as const;
const before = { state: 'active', mail: true, sms: true };

describe.each(Object.entries(weaker))('[P10.2] in an incident, from an address of its computer, %s', (_name, [key, body, after]) => {
  test('needs the code that was just now texted to that guardian', async () => {
    const { call, near, stops, code, view, number } = await family();
    await stops();
    expect(await call(key, body, near)).toMatchObject({ status: 403, body: { code: 'code_needed' } });
    const digits = await code();
    const wrong = String((Number(digits) + 1) % 1_000_000).padStart(6, '0');
    expect(await call(key, { ...body, code: wrong }, near)).toMatchObject({ status: 400, body: { code: 'phone_code_wrong' } });
    expect(await view()).toMatchObject({ ...before, phone_number: number });
    expect(await call(key, { ...body, code: digits }, near)).toMatchObject({ status: 200, body: after });
  });

  test('is refused to a guardian without a proven number, with a sentence that says from where it works', async () => {
    const { call, near, stops, view, bob } = await family();
    await stops();
    await server.db.updateTable('guardians').set({ phone_verified_time: server.clock.now() }).where('uuid', '=', bob.uuid).execute();
    expect(await call(key, body, near)).toMatchObject({
      status: 403,
      body: { code: 'may_not_answer', error: expect.stringContaining('switch Wi-Fi off on your phone') },
    });
    expect(await view()).toMatchObject(before);
  });

  test('works at once from elsewhere, also with a code that nobody asked for', async () => {
    const { call, stops } = await family();
    await stops();
    expect(await call(key, { ...body, code: '000000' })).toMatchObject({ status: 200, body: after });
  });

  test('works at once after the incident, and without one', async () => {
    const calm = await family();
    await calm.checksIn();
    expect(await calm.call(key, body, calm.near)).toMatchObject({ status: 200, body: after });
    const ended = await family();
    await ended.stops();
    await endIncidents(server);
    expect(await ended.call(key, body, ended.near)).toMatchObject({ status: 200, body: after });
  });
});

test('[P10.2] in a browser that an agent has answered a code is needed, whatever the address', async () => {
  const { call, stops, bob } = await family();
  await stops();
  const inBrowser = { cookie: `${bob.session.cookie}; ${nearAgentCookie}=1` };
  expect((await call('POST /guardian/:id/leave', undefined, inBrowser)).body.code).toBe('code_needed');
  expect((await call('PATCH /guardian/:id', { email: false }, inBrowser)).body.code).toBe('code_needed');
});

test('[P10.2] switching on, and what changes nothing, needs no code in an incident', async () => {
  const { call, near, stops, number } = await family();
  await call('PATCH /guardian/:id', { email: false });
  await stops();
  for (const [body, after] of [
    [{ email: true }, { mail: true }],
    [
      { email: true, sms: true },
      { mail: true, sms: true },
    ],
    [{ phone_number: number }, { phone_number: number, phone_number_verified: true }],
  ] as const)
    expect(await call('PATCH /guardian/:id', body, near)).toMatchObject({ status: 200, body: after });
  // A new number is no loss to a guardian who gets no texts.
  const other = await family({ phone: false });
  await other.stops();
  expect((await other.call('PATCH /guardian/:id', { phone_number: '+12025554998', sms: true }, other.near)).status).toBe(200);
});

test('[P10.2] a guardian who is at another computer of the account than that of the incident needs no code', async () => {
  const { token, call, near, checksIn } = await family();
  await checksIn();
  const attic = await linkedDevice(server, token, 'Attic PC');
  const reported = { token: attic.agent, body: { detections: [detection(server)] }, headers: { 'x-forwarded-for': fakeAddress() } };
  await server.call('POST /agent/detections', reported);
  expect((await call('POST /guardian/:id/leave', undefined, near)).status).toBe(200);
});

test('[P10.2] declining in an old window does not end an active guardian beside the computer, and still declines an invitation', async () => {
  const { call, near, stops, view, token } = await family();
  await stops();
  expect((await call('POST /guardian/:id/decline', undefined, near)).body.code).toBe('code_needed');
  expect(await view()).toMatchObject({ state: 'active' });
  await endIncidents(server);
  const email = `carol-${fakeAddress()}@example.org`;
  const { uuid } = (await server.call('POST /web/create-guardian', { token, body: { name: 'Carol', email } })).body;
  const session = await guardianSession(server, String(uuid), email);
  await stops();
  const declined = await server.call(`POST /guardian/${uuid}/decline`, { headers: { ...session, ...near } });
  expect(declined).toMatchObject({ status: 200, body: { state: 'declined' } });
});

test('[P10.2] a code works for one change only, and a leave whose code was used up changes nothing', async () => {
  const { call, near, stops, code, view } = await family();
  await stops();
  const digits = await code();
  expect((await call('PATCH /guardian/:id', { sms: false, code: digits }, near)).status).toBe(200);
  expect(await call('POST /guardian/:id/leave', { code: digits }, near)).toMatchObject({
    status: 410,
    body: { code: 'phone_code_expired' },
  });
  expect(await view()).toMatchObject({ state: 'active', sms: false });
});
