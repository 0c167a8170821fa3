import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { parseLinkUri } from '@porchlight/contract/loopback.ts';
import { verifyText } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const from = (n: number) => ({ 'x-forwarded-for': `198.18.2.${n}` });
const day = 24 * 3_600_000;
const create = (token: string, name = 'Den PC', policy: string | null = null) =>
  server.call('POST /web/create-device', { token, body: { name, policy } });

test('[7.14] [3.6] a new device comes with a code in two groups and a link that our key signed', async () => {
  const { token } = await person(server);
  const { status, body } = await create(token);
  expect(status).toBe(200);
  expect(String(body.login_code)).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
  const keys = (await server.call('GET /agent/server')).body;
  expect(verifyText(String(body.link_uri), String(body.link_uri_signature), String(keys.keys?.link))).toBe(true);
  expect(parseLinkUri(String(body.link_uri))).toMatchObject({ server: 'http://localhost:4380', code: String(body.login_code) });
});

test('[3.2] [7.9] [7.10] a device is pending with its code until it is installed, then it has been seen and has none', async () => {
  const { token } = await person(server);
  const { body: made } = await create(token);
  const pending = await server.call(`GET /web/devices/${made.uuid}`, { token });
  expect(pending.body).toMatchObject({
    name: 'Den PC',
    login_code: made.login_code,
    login_code_expires: new Date(server.clock.now().getTime() + 7 * day).toISOString(),
    last_seen: null,
    last_detection: '0001-01-01T00:00:00Z',
    policy: 'strict',
  });
  await server.call('POST /agent/enrol', { body: { code: made.login_code, info }, headers: from(1) });
  const { body } = await server.call('GET /web/devices', { token });
  expect(body.devices).toEqual([
    {
      uuid: made.uuid,
      name: 'Den PC',
      silence: null,
      info: { name: 'den-pc' },
      last_seen: server.clock.now().toISOString(),
      last_detection: '0001-01-01T00:00:00Z',
      policy: 'strict',
      person: null,
    },
  ]);
});

test('[7.11] a device is renamed and given another profile, and no other one is; an unknown profile changes nothing', async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  const other = await linkedDevice(server, token, 'Attic PC');
  const change = (body: object) => server.call(`POST /web/devices/${uuid}`, { token, body });
  expect((await change({ name: 'Kitchen', policy: 'permissive' })).body).toMatchObject({ name: 'Kitchen', policy: 'permissive' });
  expect((await change({ name: 'X', policy: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
  expect(await change({ name: '  ', policy: 'strict' })).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Name', tag: 'required' }] },
  });
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({ name: 'Kitchen', policy: 'permissive' });
  expect((await server.call(`GET /web/devices/${other.uuid}`, { token })).body).toMatchObject({ name: 'Attic PC', policy: 'strict' });
});

test('[7.12] a removed device is gone, and its agent hears 410; the other one stays', async () => {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  const other = await linkedDevice(server, token, 'Attic PC');
  expect((await server.call(`DELETE /web/devices/${uuid}`, { token })).status).toBe(200);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).status).toBe(404);
  expect(await server.call('GET /agent/policy', { token: agent })).toMatchObject({ status: 410, body: { code: 'device_removed' } });
  expect((await server.call(`GET /web/devices/${other.uuid}`, { token })).body).toMatchObject({ name: 'Attic PC' });
  expect((await server.call('GET /agent/policy', { token: other.agent })).status).toBe(200);
});

test('[7.13] [3.3] two profiles with fixed identifiers, the default marked as such', async () => {
  const { token } = await person(server);
  const { body } = await server.call('GET /web/policies', { token });
  expect(body).toMatchObject({
    default_policies: [
      { uuid: 'strict', name: 'Strict (Default)' },
      { uuid: 'permissive', name: 'Permissive' },
    ],
    custom_policies: [],
  });
});

test("someone else's device is the same as none, on every call", async () => {
  const [a, b] = [await person(server), await person(server)];
  const { uuid } = await linkedDevice(server, a.token);
  const body = { name: 'Mine now', policy: 'strict' };
  const without = (reply: { status: number; body: object }) => ({ ...reply.body, status: reply.status, request_id: '' });
  for (const [key, options] of [
    ['GET /web/devices/ID', {}],
    ['POST /web/devices/ID', { body }],
    ['DELETE /web/devices/ID', {}],
    ['POST /web/devices/ID/code', {}],
  ] as const) {
    const theirs = await server.call(key.replace('ID', uuid), { token: b.token, ...options });
    const none = await server.call(key.replace('ID', '11111111-1111-4111-8111-111111111111'), { token: b.token, ...options });
    expect(without(theirs), key).toEqual(without(none));
    expect(theirs.status, key).toBe(404);
  }
  expect((await server.call(`GET /web/devices/${uuid}`, { token: a.token })).body).toMatchObject({ name: 'Den PC' });
});

test('the sixth device of a plan of five is refused, also when six are added at once', async () => {
  const { token } = await person(server);
  const all = await Promise.all(Array.from({ length: 6 }, (_, i) => create(token, `PC ${i}`)));
  expect(all.map((r) => r.status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
  expect(all.find((r) => r.status === 409)?.body).toMatchObject({ code: 'device_limit' });
});

test('a code enrols once, however many race for it', async () => {
  const { token } = await person(server);
  const { body: made } = await create(token);
  const race = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      server.call('POST /agent/enrol', { body: { code: made.login_code, info }, headers: from(10 + i) }),
    ),
  );
  expect(race.filter((r) => r.status === 200)).toHaveLength(1);
  expect(race.filter((r) => r.status === 410 && String(r.body.code) === 'code_used')).toHaveLength(11);
});

test('[7.4] [3.7] looking a code up tells for whom it is and does not use it up; any way of typing it will do', async () => {
  const { token } = await person(server, 'Ann Example');
  const { body: made } = await create(token, 'Mum’s laptop');
  const typed = ` ${String(made.login_code).toLowerCase().replace('-', ' ')} `;
  const look = await server.call('POST /code', { body: { code: typed }, headers: from(30) });
  expect(look.body).toEqual({
    link_uri: made.link_uri,
    link_uri_signature: made.link_uri_signature,
    device_name: 'Mum’s laptop',
    from_name: 'Ann',
    expires: new Date(server.clock.now().getTime() + 7 * day).toISOString(),
  });
  expect((await server.call('POST /agent/enrol', { body: { code: typed, info }, headers: from(30) })).status).toBe(200);
  expect(await server.call('POST /code', { body: { code: typed }, headers: from(30) })).toMatchObject({
    status: 410,
    body: { code: 'code_used' },
  });
});

test('a code that is unknown, replaced or older than seven days says which', async () => {
  const { token } = await person(server);
  const { body: first } = await create(token);
  const { body: second } = await server.call(`POST /web/devices/${first.uuid}/code`, { token });
  const look = (code: unknown) => server.call('POST /code', { body: { code }, headers: from(31) });
  expect(await look('ABCD-EFGH')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await look('O0O0-IIII')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await look(first.login_code)).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect((await look(second.login_code)).status).toBe(200);
  server.clock.turn(7 * day);
  expect(await look(second.login_code)).toMatchObject({ status: 410, body: { code: 'code_expired', from_name: 'Ann' } });
  const enrol = await server.call('POST /agent/enrol', { body: { code: second.login_code, info }, headers: from(32) });
  expect(enrol).toMatchObject({ status: 410, body: { code: 'code_expired' } });
});

test('a device that is connected gets no new code', async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  expect(await server.call(`POST /web/devices/${uuid}/code`, { token })).toMatchObject({ status: 409, body: { code: 'device_installed' } });
});

test('codes are guessed at most ten times a minute from one place, looking and enrolling together', async () => {
  for (let i = 0; i < 5; i++) await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: from(40) });
  for (let i = 0; i < 5; i++) await server.call('POST /agent/enrol', { body: { code: 'ABCD-EFGH', info }, headers: from(40) });
  expect((await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: from(40) })).status).toBe(429);
  expect((await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: from(41) })).status).toBe(404);
});

test('a typed code is read without regard to case, spaces and dashes, and nothing else passes', () => {
  for (const typed of ['ABCD-EFGH', 'abcdefgh', ' ab cd ef gh ', 'ABCD–EFGH']) expect(readDeviceCode(typed)).toBe('ABCD-EFGH');
  for (const typed of ['', 'ABCD-EFG', 'ABCD-EFGHJ', 'ABCD-EFG0', 'ABCD-EFGI', 'ÄBCD-EFGH']) expect(readDeviceCode(typed)).toBeNull();
});
