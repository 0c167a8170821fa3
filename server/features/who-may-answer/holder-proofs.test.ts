import { randomUUID } from 'node:crypto';
import { day, hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo } from '../../testing/agent-info.ts';
import { daysOfUse } from '../../testing/days-of-use.ts';
import { addedPasskey, type PasskeyDevice, passkeyDevice, passkeyProof } from '../../testing/passkey-device.ts';
import { activeGuardian, detection, fakeAddress, goodPassword, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const newPassword = 'another long phrase of hers';

/** Ann, who is elsewhere, the computer of her mother, and Bob, who has been a guardian for three days. */
async function mumsComputer() {
  const { token, email } = await person(server, 'Ann Example');
  const away = { 'x-forwarded-for': fakeAddress() };
  const home = { 'x-forwarded-for': fakeAddress() };
  const call = (key: string, body?: object) => server.call(key, { token, headers: away, ...(body ? { body } : {}) });
  const device = { name: 'Mum’s PC', policy: null, person: { name: 'Mum', phone_number: '', is_holder: false } };
  const { body: created } = await call('POST /web/create-device', device);
  const { body: enrolled } = await server.call('POST /agent/enrol', {
    body: { code: created.login_code, info: agentInfo, enrol_id: randomUUID() },
    headers: home,
  });
  server.clock.turn(25 * hour);
  await activeGuardian(server, token);
  await daysOfUse(server, [{ agent: String(enrolled.agent_token), home: home['x-forwarded-for'] }]);
  const incident = async () => {
    const { body } = await call('GET /web/incidents');
    return (body.items as unknown as { uuid: string }[])[0]?.uuid;
  };
  return {
    token,
    email,
    call,
    /** Opens the incident, or opens it again. */
    async stops() {
      server.clock.turn(minute);
      const report = { detections: [detection(server)] };
      await server.call('POST /agent/detections', { token: String(enrolled.agent_token), body: report, headers: home });
      server.clock.turn(minute);
    },
    mayEnd: async () => (await call(`GET /web/incidents/${await incident()}`)).body.may_end,
    end: async () => (await call(`POST /web/incidents/${await incident()}`, { answer: 'over' })).body.code,
    allow: () =>
      call(`POST /web/devices/${String(created.uuid)}/v2/exceptions`, { type: 'definition', identifier: 'anydesk', lasts: null }),
    async password(password = goodPassword) {
      expect((await call('POST /web/reauthenticate', { password })).status).toBe(200);
    },
    async passkey(device: PasskeyDevice) {
      const passkey = await passkeyProof(server, token, device);
      expect((await call('POST /web/reauthenticate', { passkey })).status).toBe(200);
    },
    async changePassword() {
      const body = { current_password: goodPassword, password: newPassword };
      expect((await call('PATCH /web/profile', body)).status).toBe(200);
      server.clock.turn(minute);
    },
  };
}

test('[P10.2] a passkey counts for ten minutes as the password does, for this session alone, and until it is removed', async () => {
  const ann = await mumsComputer();
  const device = await addedPasskey(server, ann.token);
  await ann.stops();
  expect(await ann.mayEnd()).toEqual({ may: 'password' });
  const { body: options } = await server.call('POST /login/passkey/options');
  const other = await server.call('POST /login/passkey', {
    body: { passkey: device.answer(options) },
    headers: { 'x-forwarded-for': fakeAddress() },
  });
  expect(other.status).toBe(200);
  expect(await ann.mayEnd()).toEqual({ may: 'password' });
  await ann.passkey(device);
  server.clock.turn(10 * minute - 1);
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
  server.clock.turn(1);
  expect(await ann.mayEnd()).toEqual({ may: 'password' });
  expect(await ann.end()).toBe('password_needed');
  await ann.passkey(device);
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
  const { passkeys } = (await ann.call('GET /web/sign-in-methods')).body;
  await ann.call(`POST /web/passkeys/${(passkeys as unknown as { uuid: string }[])[0]?.uuid}/remove`, { current_password: goodPassword });
  expect(await ann.mayEnd()).toEqual({ may: 'password' });
});

test('[P10.2] a login by passkey counts as giving it', async () => {
  const ann = await mumsComputer();
  const device = await addedPasskey(server, ann.token);
  await ann.stops();
  const { body: options } = await server.call('POST /login/passkey/options');
  const headers = { 'x-forwarded-for': fakeAddress() };
  const { body: login } = await server.call('POST /login/passkey', { body: { passkey: device.answer(options) }, headers });
  const { body: list } = await server.call('GET /web/incidents', { token: String(login.web_token), headers });
  const [incident] = list.items as unknown as { uuid: string }[];
  const { body } = await server.call(`GET /web/incidents/${incident?.uuid}`, { token: String(login.web_token), headers });
  expect(body.may_end).toEqual({ may: 'yes' });
});

test('[P10.2] a passkey that was added while an incident was open does not count until it is over, and the password and an older passkey do', async () => {
  const ann = await mumsComputer();
  const older = await addedPasskey(server, ann.token);
  await ann.stops();
  const added = await addedPasskey(server, ann.token, passkeyDevice());
  await ann.passkey(added);
  expect(await ann.mayEnd()).toEqual({ may: 'password' });
  expect(await ann.end()).toBe('password_needed');
  expect(await ann.allow()).toMatchObject({ status: 409, body: { code: 'held' } });
  await ann.password();
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
  await ann.passkey(older);
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
  expect((await ann.allow()).status).toBe(200);
  expect(await ann.end()).toBeUndefined();
  // Opened again: what was added before is older now.
  server.clock.turn(hour);
  await ann.stops();
  await ann.passkey(added);
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
});

test('[P10.2] a passkey that was added in an incident of another computer does not count either, until all are over', async () => {
  const ann = await mumsComputer();
  const { body: created } = await ann.call('POST /web/create-device', { name: 'Den PC', policy: null });
  const enrol = { code: created.login_code, info: agentInfo, enrol_id: randomUUID() };
  const { body: enrolled } = await server.call('POST /agent/enrol', { body: enrol, headers: { 'x-forwarded-for': fakeAddress() } });
  await server.call('POST /agent/detections', { token: String(enrolled.agent_token), body: { detections: [detection(server)] } });
  server.clock.turn(minute);
  const added = await addedPasskey(server, ann.token);
  await ann.stops();
  await ann.passkey(added);
  expect(await ann.mayEnd()).toEqual({ may: 'password' });
  await server.db.updateTable('incidents').set({ over: server.clock.now() }).where('device', '=', String(created.uuid)).execute();
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
});

test('[P10.2] a password that was changed while an incident was open does not count until it is over, and an older passkey does', async () => {
  const ann = await mumsComputer();
  const older = await addedPasskey(server, ann.token);
  await ann.stops();
  await ann.password();
  server.clock.turn(minute);
  await ann.changePassword();
  // The former password was given before it was changed.
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
  await ann.password(newPassword);
  expect(await ann.mayEnd()).toMatchObject({ may: 'no', why: expect.stringMatching(/^Your password was changed while this was open/) });
  expect(await ann.end()).toBe('may_not_answer');
  expect(await ann.allow()).toMatchObject({ status: 409, body: { code: 'held' } });
  await ann.passkey(older);
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
  await ann.password(newPassword);
  server.clock.turn(day);
  expect((await ann.call('GET /web/incidents')).body.items).toMatchObject([{ state: 'watched' }]);
  // It is over: the same password counts in what comes later.
  await ann.stops();
  await ann.password(newPassword);
  expect(await ann.mayEnd()).toEqual({ may: 'yes' });
});

test('[P10.2] a password that was changed by an email in an incident does not count until it is over', async () => {
  const ann = await mumsComputer();
  await ann.stops();
  await server.call('POST /forgot-password', { body: { email: ann.email }, headers: { 'x-forwarded-for': fakeAddress() } });
  const reset = { token: linkIn((await server.mailsTo(ann.email))[0], '/reset-password/'), password: newPassword };
  expect((await server.call('POST /reset-password', { body: reset, headers: { 'x-forwarded-for': fakeAddress() } })).status).toBe(200);
  const headers = { 'x-forwarded-for': fakeAddress() };
  const { body: login } = await server.call('POST /login/web', { body: { email: ann.email, password: newPassword }, headers });
  const token = String(login.web_token);
  const mayEnd = async () => {
    const { body: list } = await server.call('GET /web/incidents', { token, headers });
    const [incident] = list.items as unknown as { uuid: string }[];
    return (await server.call(`GET /web/incidents/${incident?.uuid}`, { token, headers })).body.may_end;
  };
  expect(await mayEnd()).toMatchObject({ may: 'no' });
  server.clock.turn(day);
  await ann.stops();
  await server.call('POST /web/reauthenticate', { token, headers, body: { password: newPassword } });
  expect(await mayEnd()).toEqual({ may: 'yes' });
});

test('[P10.1] a call that waits is the same call with another answer of a passkey, and with the password', async () => {
  const { token } = await person(server, 'Ann Example');
  const { body: created } = await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } });
  const enrol = { code: created.login_code, info: agentInfo, enrol_id: randomUUID() };
  const { body: enrolled } = await server.call('POST /agent/enrol', { body: enrol, headers: { 'x-forwarded-for': fakeAddress() } });
  const device = await addedPasskey(server, token);
  await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550143', current_password: goodPassword } });
  await server.call('POST /agent/detections', { token: String(enrolled.agent_token), body: { detections: [detection(server)] } });
  const ask = async (phone_number: string, proof: object) =>
    (await server.call('PATCH /web/profile', { token, body: { phone_number, ...proof } })).body.request;
  const proof = async () => ({ passkey: await passkeyProof(server, token, device) });
  const request = await ask('+12025550144', await proof());
  expect(request).toEqual(expect.any(String));
  expect(await ask('+12025550144', await proof())).toBe(request);
  expect(await ask('+12025550144', { current_password: goodPassword })).toBe(request);
  expect(await ask('+12025550145', await proof())).not.toBe(request);
});
