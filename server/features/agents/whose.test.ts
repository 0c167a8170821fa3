import { randomUUID } from 'node:crypto';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
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

const day = 24 * 60 * 60_000;
const from = (address = fakeAddress()) => ({ 'x-forwarded-for': address });
const whose = (body: object, headers = from()) => server.call('POST /agent/whose', { body, headers });
const newDevice = async (token: string) =>
  (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body;
const masked = (email: string) => `${email[0]}•••${email.slice(email.indexOf('@'))}`;
const policyOf = async (agent: string) => {
  const { body } = await server.call('GET /agent/policy', { token: agent });
  return devicePolicy.parse(JSON.parse(String((body.policy as unknown as { payload: string }).payload)));
};
const newsOf = (agent: string, kind: string) =>
  server.call('POST /agent/news', {
    token: agent,
    body: { news: [{ uuid: randomUUID(), time: server.clock.now().toISOString(), said: { kind } }] },
  });
const checkIn = (agent: string, more: object) =>
  server.call('POST /agent/check-in', { token: agent, body: { info, protecting: true, problems: [], ...more } });

test('[P10.8] says whose computer it would be: the first name and the masked address, and nothing else; asking uses nothing up', async () => {
  const { token, email } = await person(server, 'Carol Ann Stranger');
  const { login_code: code } = await newDevice(token);
  for (let n = 0; n < 2; n++) {
    const { status, body } = await whose({ code: String(code).toLowerCase() });
    expect(status).toBe(200);
    expect(body).toEqual({ holder: { first_name: 'Carol', masked_email: masked(email) }, device_name: expect.any(String) });
  }
  const enrolled = await server.call('POST /agent/enrol', { body: { code, info }, headers: from() });
  expect(enrolled.body.holder).toEqual({ first_name: 'Carol', masked_email: masked(email) });
});

test('[P10.8] an unknown, a used and an expired code say nothing of anybody, but for the attempt that used it and lost the answer', async () => {
  const { token } = await person(server, 'Carol Stranger');
  const { login_code: code } = await newDevice(token);
  expect(await whose({ code: 'ABCD-EFGH' })).toMatchObject({ status: 404, body: { code: 'code_unknown' } });
  const enrol_id = randomUUID();
  const { body } = await server.call('POST /agent/enrol', { body: { code, info, enrol_id }, headers: from() });
  expect(await whose({ code })).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect(await whose({ code, enrol_id: randomUUID() })).toMatchObject({ status: 410, body: { code: 'code_used' } });
  expect((await whose({ code, enrol_id })).status).toBe(200);
  await server.call('GET /agent/policy', { token: String(body.agent_token) });
  expect(await whose({ code, enrol_id })).toMatchObject({ status: 410, body: { code: 'code_used' } });
  const { login_code: late } = await newDevice(token);
  server.clock.turn(8 * day);
  const expired = await whose({ code: late });
  expect(expired).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  expect(JSON.stringify(expired.body)).not.toContain('Carol');
});

test('[P10.8] is counted together with the other ways to try a code', async () => {
  const here = from();
  for (let n = 0; n < 5; n++) await server.call('POST /code', { body: { code: 'ABCD-EFGH' }, headers: here });
  for (let n = 0; n < 5; n++) expect((await whose({ code: 'ABCD-EFGH' }, here)).status).toBe(404);
  expect((await whose({ code: 'ABCD-EFGH' }, here)).status).toBe(429);
  expect((await whose({ code: 'ABCD-EFGH' })).status).toBe(404);
});

test('[P10.8] the signed policy says whose it is, and says it anew when the name or the address changes', async () => {
  const { token, email } = await person(server, 'Carol Stranger');
  const { agent } = await linkedDevice(server, token);
  const first = await policyOf(agent);
  expect(first.holder).toEqual({ first_name: 'Carol', masked_email: masked(email) });
  await server.call('PATCH /web/profile', { token, body: { name: 'Caroline Stranger' } });
  const second = await policyOf(agent);
  expect(second.version).toBeGreaterThan(first.version);
  expect(second.holder?.first_name).toBe('Caroline');
  const moved = `x${email}`;
  await server.call('PATCH /web/profile', { token, body: { email: moved, current_password: goodPassword } });
  expect((await policyOf(agent)).holder?.masked_email).toBe(masked(email));
  const link = linkIn((await server.mailsTo(moved))[0], '/confirm-email-change/');
  await server.call('POST /confirm-email-change', { body: { token: link }, headers: from() });
  const third = await policyOf(agent);
  expect(third.version).toBeGreaterThan(second.version);
  expect(third.holder?.masked_email).toBe(masked(moved));
});

test('[P10.8] the device says until when it is on Strict and when it leaves, and no longer than that', async () => {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  const other = await linkedDevice(server, token, 'Kitchen PC');
  const device = async (of = uuid) => (await server.call(`GET /web/devices/${of}`, { token })).body;
  await checkIn(agent, { strict_for: day, leaves_in: day / 2 });
  const now = server.clock.now().getTime();
  expect(await device()).toMatchObject({ strict_until: new Date(now + day).toISOString(), leaves: new Date(now + day / 2).toISOString() });
  expect(Object.keys(await device(other.uuid))).not.toEqual(expect.arrayContaining(['strict_until']));
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
  '[P10.8] that a computer is gone (%s) is told to holder and guardian at once, also after five other acts, and it is not waited for',
  async (kind, words) => {
    const { token, email } = await person(server, 'Ann Example');
    const bob = await activeGuardian(server, token);
    const { uuid, agent } = await linkedDevice(server, token, 'Den PC');
    const stays = await linkedDevice(server, token, 'Kitchen PC');
    for (let n = 0; n < 6; n++)
      await server.call(`POST /web/devices/${stays.uuid}/v2/exceptions`, {
        token,
        body: { type: 'domain', identifier: `a${n}.example`, lasts: 'hour' },
      });
    expect((await newsOf(agent, kind)).status).toBe(200);
    for (const to of [email, bob.email]) {
      // In a mail of its own, whatever order mails of one moment come in.
      const mail = (await server.mailsTo(to)).find(({ subject }) => subject.includes('Den PC'));
      expect(mail?.text).toContain(words);
    }
    const silenceOf = async (of: string) => (await server.call(`GET /web/devices/${of}`, { token })).body.silence;
    expect(await silenceOf(uuid)).toMatchObject({ kind: 'left' });
    expect(await silenceOf(stays.uuid)).toBeNull();
    await checkIn(agent, {});
    expect(await silenceOf(uuid)).toBeNull();
  },
);

test('[P10.8] that an administrator wants to leave is told at once, and that they do not is silent', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token);
  const { uuid, agent } = await linkedDevice(server, token, 'Den PC');
  await newsOf(agent, 'leaving');
  for (const to of [email, bob.email])
    expect((await server.mailsTo(to)).map(({ subject }) => subject)).toContain('An administrator of Den PC wants it to leave this account');
  const before = (await server.mailsTo(email)).length;
  await newsOf(agent, 'stays');
  expect((await server.mailsTo(email)).length).toBe(before);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body.silence).toBeNull();
});
