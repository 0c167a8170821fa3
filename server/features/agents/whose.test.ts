import { randomUUID } from 'node:crypto';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import {
  activeGuardian,
  fakeAddress,
  goodPassword,
  linkedDevice,
  linkIn,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const callerHeaders = (address = fakeAddress()) => ({ 'x-forwarded-for': address });
const askForHolder = (body: object, headers = callerHeaders()) => server.call('POST /agent/whose', { body, headers });
const newDevice = async (token: string) =>
  (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body;
const masked = (email: string) => `${email[0]}•••${email.slice(email.indexOf('@'))}`;
const policyOf = async (agent: string) => {
  const { body } = await server.call('GET /agent/policy', { token: agent });
  return devicePolicy.parse(JSON.parse(String((body.policy as unknown as { payload: string }).payload)));
};
const reportEvent = (agent: string, kind: string) =>
  server.call('POST /agent/events', {
    token: agent,
    body: { events: [{ uuid: randomUUID(), time: server.clock.now().toISOString(), reported: { kind } }] },
  });
const checkIn = (agent: string, fields: object) =>
  server.call('POST /agent/check-in', { token: agent, body: { ...checkInBody, ...fields } });

test('[P10.8] a code shows only the first name and the masked address of its account, and asking does not use it up', async () => {
  const { token, email } = await person(server, 'Carol Ann Stranger');
  const { login_code: code } = await newDevice(token);
  for (let n = 0; n < 2; n++) {
    const { status, body } = await askForHolder({ code: String(code).toLowerCase() });
    expect(status).toBe(200);
    expect(body).toEqual({ holder: { first_name: 'Carol', masked_email: masked(email) }, device_name: expect.any(String) });
  }
  const enrolled = await server.call('POST /agent/enrol', { body: { code, info, enrol_id: randomUUID() }, headers: callerHeaders() });
  expect(enrolled.body.holder).toEqual({ first_name: 'Carol', masked_email: masked(email) });
});

test('[P10.8] unknown, used and expired codes reveal nobody, except after an enrolment whose response was lost', async () => {
  const { token } = await person(server, 'Carol Stranger');
  const { login_code: code } = await newDevice(token);
  expect(await askForHolder({ code: 'ABCD-EFGH' })).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  const enrol_id = randomUUID();
  const { body } = await server.call('POST /agent/enrol', { body: { code, info, enrol_id }, headers: callerHeaders() });
  expect(await askForHolder({ code })).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect(await askForHolder({ code, enrol_id: randomUUID() })).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect((await askForHolder({ code, enrol_id })).status).toBe(200);
  await server.call('GET /agent/policy', { token: String(body.agent_token) });
  expect(await askForHolder({ code, enrol_id })).toMatchObject({ status: 410, body: { code: 'code_used' } });
  const { login_code: lateCode } = await newDevice(token);
  server.clock.turn(8 * day);
  const expired = await askForHolder({ code: lateCode });
  expect(expired).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  expect(JSON.stringify(expired.body)).not.toContain('Carol');
});

test('[P10.8] asking for the holder shares its limit with the other ways to try a code', async () => {
  const sameCaller = callerHeaders();
  for (let n = 0; n < 5; n++) await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: sameCaller });
  for (let n = 0; n < 5; n++) expect((await askForHolder({ code: 'ABCD-EFGH' }, sameCaller)).status).toBe(404);
  expect((await askForHolder({ code: 'ABCD-EFGH' }, sameCaller)).status).toBe(429);
  expect((await askForHolder({ code: 'ABCD-EFGH' })).status).toBe(404);
});

test('[P10.8] the signed policy names the holder, and has a new version when the name or address changes', async () => {
  const { token, email } = await person(server, 'Carol Stranger');
  const { agent } = await linkedDevice(server, token);
  const firstPolicy = await policyOf(agent);
  expect(firstPolicy.holder).toEqual({ first_name: 'Carol', masked_email: masked(email) });
  await server.call('PATCH /web/profile', { token, body: { name: 'Caroline Stranger' } });
  const secondPolicy = await policyOf(agent);
  expect(secondPolicy.version).toBeGreaterThan(firstPolicy.version);
  expect(secondPolicy.holder?.first_name).toBe('Caroline');
  const moved = `x${email}`;
  await server.call('PATCH /web/profile', { token, body: { email: moved, current_password: goodPassword } });
  expect((await policyOf(agent)).holder?.masked_email).toBe(masked(email));
  const link = linkIn((await server.mailsTo(moved))[0], '/confirm-email-change/');
  await server.call('POST /confirm-email-change', { body: { token: link }, headers: callerHeaders() });
  const thirdPolicy = await policyOf(agent);
  expect(thirdPolicy.version).toBeGreaterThan(secondPolicy.version);
  expect(thirdPolicy.holder?.masked_email).toBe(masked(moved));
});

test('[P10.8] a device shows until when it is strict and when it leaves, and stops showing each at its end', async () => {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  const otherDevice = await linkedDevice(server, token, 'Kitchen PC');
  const device = async (deviceId = uuid) => (await server.call(`GET /web/devices/${deviceId}`, { token })).body;
  await checkIn(agent, { strict_for: day, leaves_in: day / 2 });
  const nowMs = server.clock.now().getTime();
  expect(await device()).toMatchObject({
    strict_until: new Date(nowMs + day).toISOString(),
    leaves: new Date(nowMs + day / 2).toISOString(),
  });
  expect(Object.keys(await device(otherDevice.uuid))).not.toEqual(expect.arrayContaining(['strict_until']));
  await checkIn(agent, {});
  expect(await device()).not.toHaveProperty('leaves');
  await checkIn(agent, { strict_for: day });
  server.clock.turn(day);
  expect(await device()).not.toHaveProperty('strict_until');
  expect((await checkIn(agent, { strict_for: day + 1 })).status).toBe(422);
});

test.each([
  ['moved', 'was connected to another account'],
  ['undone', 'undid that it belongs to this account'],
  ['left', 'has left this account'],
])(
  '[P10.8] a device that is gone (%s) notifies holder and guardian immediately, also after other acts, and causes no outage alert',
  async (kind, sentence) => {
    const { token, email } = await person(server, 'Ann Example');
    const bob = await activeGuardian(server, token);
    const { uuid, agent } = await linkedDevice(server, token, 'Den PC');
    const remainingDevice = await linkedDevice(server, token, 'Kitchen PC');
    for (let n = 0; n < 6; n++)
      await server.call(`POST /web/devices/${remainingDevice.uuid}/v2/exceptions`, {
        token,
        body: { type: 'domain', identifier: `a${n}.example`, lasts: 'hour' },
      });
    expect((await reportEvent(agent, kind)).status).toBe(200);
    for (const recipient of [email, bob.email]) {
      const mail = (await server.mailsTo(recipient)).find(({ subject }) => subject.includes('Den PC'));
      expect(mail?.text).toContain(sentence);
    }
    const outageOf = async (deviceId: string) => (await server.call(`GET /web/devices/${deviceId}`, { token })).body.outage;
    expect(await outageOf(uuid)).toMatchObject({ kind: 'left' });
    expect(await outageOf(remainingDevice.uuid)).toBeNull();
    await checkIn(agent, {});
    expect(await outageOf(uuid)).toBeNull();
  },
);

test("[P10.8] an administrator's wish to leave notifies immediately, and its withdrawal notifies nobody", async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token);
  const { uuid, agent } = await linkedDevice(server, token, 'Den PC');
  await reportEvent(agent, 'leaving');
  for (const recipient of [email, bob.email])
    expect((await server.mailsTo(recipient)).map(({ subject }) => subject)).toContain(
      'An administrator of Den PC wants it to leave this account',
    );
  const emailCount = (await server.mailsTo(email)).length;
  await reportEvent(agent, 'stays');
  expect((await server.mailsTo(email)).length).toBe(emailCount);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body.outage).toBeNull();
});
