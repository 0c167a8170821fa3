import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addedPasskey, passkeyDevice, passkeyProof } from '../../testing/passkey-device.ts';
import { goodPassword, newcomer, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const wrong = { status: 400, body: { code: 'passkey_wrong' } };
const reauthenticate = (token: string, passkey: object) => server.call('POST /web/reauthenticate', { token, body: { passkey } });
const changePhone = (token: string, body: object) =>
  server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550143', ...body } });
const phoneOf = async (token: string) => (await server.call('GET /web/profile', { token })).body.phone_number;

test('[P13.1] a passkey answers where the password is asked again, each answer once, and a wrong one changes nothing', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token);
  expect(await changePhone(token, { passkey: await passkeyProof(server, token, device, { user_verified: false }) })).toMatchObject(wrong);
  expect(await changePhone(token, {})).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await phoneOf(token)).toBeNull();
  const passkey = await passkeyProof(server, token, device);
  expect((await changePhone(token, { current_password: null, passkey })).status).toBe(200);
  expect(await phoneOf(token)).toBe('+12025550143');
  expect(await changePhone(token, { phone_number: '+12025550144', current_password: '', passkey })).toMatchObject(wrong);
  expect(await phoneOf(token)).toBe('+12025550143');
});

test('with a password and a passkey the password counts', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token);
  const passkey = await passkeyProof(server, token, device);
  const refused = await changePhone(token, { current_password: 'wrong', passkey });
  expect(refused).toMatchObject({ status: 400, body: { code: 'password_wrong' } });
  expect((await changePhone(token, { current_password: goodPassword, passkey: { ...passkey, id: 'AAAA' } })).status).toBe(200);
});

test('where the password is asked again, neither a neighbour’s passkey answers, nor the answer to another question', async () => {
  const { token } = await newcomer(server);
  const eve = await newcomer(server, 'Eve Other');
  const [device, evesDevice] = [await addedPasskey(server, token), await addedPasskey(server, eve.token)];
  const { body } = await server.call('POST /web/passkey-question', { token });
  expect(body.options).toMatchObject({ allowCredentials: [{ id: device.answer(body).id }], userVerification: 'required' });
  expect(await reauthenticate(token, evesDevice.answer(body))).toMatchObject(wrong);
  const others = [
    (await server.call('POST /web/passkey-question', { token: eve.token })).body,
    (await server.call('POST /login/passkey/options')).body,
    (await server.call('POST /web/passkeys/options', { token, body: { current_password: goodPassword } })).body,
  ];
  for (const { options } of others) {
    expect(await reauthenticate(token, device.answer(body, { challenge: String(options?.challenge) }))).toMatchObject(wrong);
  }
  expect(await reauthenticate(token, evesDevice.answer(others[0] ?? {}))).toMatchObject(wrong);
  expect((await reauthenticate(token, device.answer(body))).status).toBe(200);
});

test('a question ends after five minutes, and an account without a passkey gets none', async () => {
  const { token } = await newcomer(server);
  expect(await server.call('POST /web/passkey-question', { token })).toMatchObject({ status: 409, body: { code: 'passkey_missing' } });
  const device = await addedPasskey(server, token);
  const [early, late] = [await passkeyProof(server, token, device), await passkeyProof(server, token, device)];
  server.clock.turn(serverLimits.passkey_question_life - 1);
  expect((await reauthenticate(token, early)).status).toBe(200);
  server.clock.turn(1);
  expect(await reauthenticate(token, late)).toMatchObject(wrong);
});

test('wrong passkeys and wrong passwords are counted together: ten in five minutes for an account, and another account still may', async () => {
  const { token } = await newcomer(server);
  const neighbour = await newcomer(server);
  const device = await addedPasskey(server, token);
  const neighboursDevice = await addedPasskey(server, neighbour.token);
  server.clock.turn(300_000);
  for (let i = 0; i < 5; i++) {
    expect(await reauthenticate(token, passkeyDevice().answer({ options: {} }))).toMatchObject(wrong);
    await server.call('POST /web/reauthenticate', { token, body: { password: 'wrong' } });
  }
  expect(await reauthenticate(token, await passkeyProof(server, token, device))).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect((await reauthenticate(neighbour.token, await passkeyProof(server, neighbour.token, neighboursDevice))).status).toBe(200);
  server.clock.turn(300_000);
  expect((await reauthenticate(token, await passkeyProof(server, token, device))).status).toBe(200);
});
