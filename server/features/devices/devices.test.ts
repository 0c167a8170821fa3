import { randomUUID } from 'node:crypto';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { parseLinkUri } from '@porchlight/contract/loopback.ts';
import { day } from '@porchlight/contract/time.ts';
import { verifyText } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const callerHeaders = (n: number) => ({ 'x-forwarded-for': `198.18.2.${n}` });
const createDevice = (token: string, name = 'Den PC', policy: string | null = null) =>
  server.call('POST /web/create-device', { token, body: { name, policy } });

test('[7.14] [3.6] a new device has a code in two groups and a signed link', async () => {
  const { token } = await person(server);
  const { status, body } = await createDevice(token);
  expect(status).toBe(200);
  expect(String(body.login_code)).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
  const keys = (await server.call('GET /agent/server')).body;
  expect(verifyText(String(body.link_uri), String(body.link_uri_signature), String(keys.keys?.link))).toBe(true);
  expect(parseLinkUri(String(body.link_uri))).toMatchObject({ server: 'http://localhost:4380', code: String(body.login_code) });
});

test('[3.2] [7.9] [7.10] a device shows its code until it is installed, and then its last-seen time instead', async () => {
  const { token } = await person(server);
  const { body: createdDevice } = await createDevice(token);
  const pendingDevice = await server.call(`GET /web/devices/${createdDevice.uuid}`, { token });
  expect(pendingDevice.body).toMatchObject({
    name: 'Den PC',
    login_code: createdDevice.login_code,
    login_code_expires: new Date(server.clock.now().getTime() + 7 * day).toISOString(),
    last_seen: null,
    last_detection: '0001-01-01T00:00:00Z',
    policy: 'strict',
  });
  await server.call('POST /agent/enrol', {
    body: { code: createdDevice.login_code, info, enrol_id: randomUUID() },
    headers: callerHeaders(1),
  });
  const { body } = await server.call('GET /web/devices', { token });
  expect(body.devices).toEqual([
    {
      uuid: createdDevice.uuid,
      name: 'Den PC',
      outage: null,
      info: { name: 'den-pc' },
      last_seen: server.clock.now().toISOString(),
      last_detection: '0001-01-01T00:00:00Z',
      policy: 'strict',
      person: null,
    },
  ]);
});

test("[7.11] changing a device's name and profile affects no other device, and an unknown profile changes nothing", async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  const otherDevice = await linkedDevice(server, token, 'Attic PC');
  const updateDevice = (body: object) => server.call(`POST /web/devices/${uuid}`, { token, body });
  expect((await updateDevice({ name: 'Kitchen', policy: 'permissive' })).body).toMatchObject({ name: 'Kitchen', policy: 'permissive' });
  expect((await updateDevice({ name: 'X', policy: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
  expect(await updateDevice({ name: '  ', policy: 'strict' })).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Name', tag: 'required' }] },
  });
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({ name: 'Kitchen', policy: 'permissive' });
  expect((await server.call(`GET /web/devices/${otherDevice.uuid}`, { token })).body).toMatchObject({ name: 'Attic PC', policy: 'strict' });
});

test('[7.12] a removed device is gone and its agent gets a 410; other devices are unaffected', async () => {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  const otherDevice = await linkedDevice(server, token, 'Attic PC');
  expect((await server.call(`DELETE /web/devices/${uuid}`, { token })).status).toBe(200);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).status).toBe(404);
  expect(await server.call('GET /agent/policy', { token: agent })).toMatchObject({ status: 410, body: { code: 'device_removed' } });
  expect((await server.call(`GET /web/devices/${otherDevice.uuid}`, { token })).body).toMatchObject({ name: 'Attic PC' });
  expect((await server.call('GET /agent/policy', { token: otherDevice.agent })).status).toBe(200);
});

test('[7.13] [3.3] there are two profiles with fixed identifiers, and the default is marked', async () => {
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

test("every call treats another account's device as unknown", async () => {
  const [a, b] = [await person(server), await person(server)];
  const { uuid } = await linkedDevice(server, a.token);
  const body = { name: 'Mine now', policy: 'strict' };
  const otherFields = (reply: { status: number; body: object }) => ({ ...reply.body, status: reply.status, request_id: '' });
  for (const [key, options] of [
    ['GET /web/devices/ID', {}],
    ['POST /web/devices/ID', { body }],
    ['DELETE /web/devices/ID', {}],
    ['POST /web/devices/ID/code', {}],
  ] as const) {
    const foreignReply = await server.call(key.replace('ID', uuid), { token: b.token, ...options });
    const unknownReply = await server.call(key.replace('ID', '11111111-1111-4111-8111-111111111111'), { token: b.token, ...options });
    expect(otherFields(foreignReply), key).toEqual(otherFields(unknownReply));
    expect(foreignReply.status, key).toBe(404);
  }
  expect((await server.call(`GET /web/devices/${uuid}`, { token: a.token })).body).toMatchObject({ name: 'Den PC' });
});

test('the sixth device in a plan of five is refused, even when six are added at once', async () => {
  const { token } = await person(server);
  const replies = await Promise.all(Array.from({ length: 6 }, (_, i) => createDevice(token, `PC ${i}`)));
  expect(replies.map((r) => r.status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
  expect(replies.find((r) => r.status === 409)?.body).toMatchObject({ code: 'device_limit' });
});

test('a code enrols one of many simultaneous agents', async () => {
  const { token } = await person(server);
  const { body: createdDevice } = await createDevice(token);
  const enrolments = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      server.call('POST /agent/enrol', {
        body: { code: createdDevice.login_code, info, enrol_id: randomUUID() },
        headers: callerHeaders(10 + i),
      }),
    ),
  );
  expect(enrolments.filter((r) => r.status === 200)).toHaveLength(1);
  expect(enrolments.filter((r) => r.status === 410 && String(r.body.code) === 'code_used')).toHaveLength(11);
});

test('[7.4] [3.7] looking up a code in any spelling shows its holder and does not use it up', async () => {
  const { token } = await person(server, 'Ann Example');
  const { body: createdDevice } = await createDevice(token, 'Mum’s laptop');
  const typed = ` ${String(createdDevice.login_code).toLowerCase().replace('-', ' ')} `;
  const lookUp = await server.call('POST /code', { body: { code: typed }, headers: callerHeaders(30) });
  expect(lookUp.body).toEqual({
    link_uri: createdDevice.link_uri,
    link_uri_signature: createdDevice.link_uri_signature,
    device_name: 'Mum’s laptop',
    from_name: 'Ann',
    expires: new Date(server.clock.now().getTime() + 7 * day).toISOString(),
  });
  expect(
    (await server.call('POST /agent/enrol', { body: { code: typed, info, enrol_id: randomUUID() }, headers: callerHeaders(30) })).status,
  ).toBe(200);
  expect(await server.call('POST /code', { body: { code: typed }, headers: callerHeaders(30) })).toMatchObject({
    status: 410,
    body: { code: 'code_used' },
  });
});

test('unknown, replaced and expired codes have different errors', async () => {
  const { token } = await person(server);
  const { body: firstCode } = await createDevice(token);
  const { body: secondCode } = await server.call(`POST /web/devices/${firstCode.uuid}/code`, { token });
  const lookUp = (code: unknown) => server.call('POST /code', { body: { code }, headers: callerHeaders(31) });
  expect(await lookUp('ABCD-EFGH')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await lookUp('O0O0-IIII')).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect(await lookUp(firstCode.login_code)).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  expect((await lookUp(secondCode.login_code)).status).toBe(200);
  server.clock.turn(7 * day);
  expect(await lookUp(secondCode.login_code)).toMatchObject({ status: 410, body: { code: 'code_expired', from_name: 'Ann' } });
  const enrol = await server.call('POST /agent/enrol', {
    body: { code: secondCode.login_code, info, enrol_id: randomUUID() },
    headers: callerHeaders(32),
  });
  expect(enrol).toMatchObject({ status: 410, body: { code: 'code_expired' } });
});

test('a connected device gets no new code', async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  expect(await server.call(`POST /web/devices/${uuid}/code`, { token })).toMatchObject({ status: 409, body: { code: 'device_installed' } });
});

test('lookups and enrolments share a limit of ten codes a minute per address', async () => {
  for (let i = 0; i < 5; i++) await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: callerHeaders(40) });
  for (let i = 0; i < 5; i++)
    await server.call('POST /agent/enrol', { body: { code: 'ABCD-EFGH', info, enrol_id: randomUUID() }, headers: callerHeaders(40) });
  expect((await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: callerHeaders(40) })).status).toBe(429);
  expect((await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: callerHeaders(41) })).status).toBe(404);
});

test('a typed code may differ in case, spaces and dashes; anything else is invalid', () => {
  for (const typed of ['ABCD-EFGH', 'abcdefgh', ' ab cd ef gh ', 'ABCD–EFGH']) expect(readDeviceCode(typed)).toBe('ABCD-EFGH');
  for (const typed of ['', 'ABCD-EFG', 'ABCD-EFGHJ', 'ABCD-EFG0', 'ABCD-EFGI', 'ÄBCD-EFGH']) expect(readDeviceCode(typed)).toBeNull();
});
