import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addedPasskey, passkeyDevice, passkeyProof } from '../../../testing/passkey-device.ts';
import { activeGuardian, goodPassword, newcomer, person, type TestServer, testServer } from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const password = { current_password: goodPassword };
const wrong = { status: 400, body: { code: 'passkey_wrong' } };
const add = (token: string, passkey: object, more: { name?: string; userAgent?: string } = {}) =>
  server.call('POST /web/passkeys', {
    token,
    body: { passkey, ...(more.name === undefined ? {} : { name: more.name }) },
    headers: more.userAgent === undefined ? {} : { 'user-agent': more.userAgent },
  });
const optionsOf = async (token: string, body: object = password) => {
  const { status, body: answer } = await server.call('POST /web/passkeys/options', { token, body });
  // Without options the answer to them would be refused, whatever a test is about.
  if (status !== 200) throw new Error(`no options: ${JSON.stringify(answer)}`);
  return answer;
};
const methodsOf = async (token: string) => (await server.call('GET /web/sign-in-methods', { token })).body;
const passkeysOf = async (token: string) => (await methodsOf(token)).passkeys as unknown as { uuid: string; name: string }[];
const remove = (token: string, uuid: string, body: object = password) => server.call(`POST /web/passkeys/${uuid}/remove`, { token, body });
const textsTo = async (email: string) => (await server.mailsTo(email)).map(({ text }) => text).join('\n');
const accountOf = async (email: string) =>
  (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;

test('[P13.1] a holder adds a passkey after entering the password, gets ten recovery codes with the first way alone, and sees what there is', async () => {
  const { token } = await newcomer(server);
  expect(await methodsOf(token)).toEqual({ passkeys: [], authenticator: null, recovery_codes_left: 0 });
  const first = await add(token, passkeyDevice().create(await optionsOf(token)), { userAgent: chrome });
  expect(first.status).toBe(200);
  const codes = first.body.recovery_codes as unknown as string[];
  expect(new Set(codes).size).toBe(serverLimits.recovery_codes);
  server.clock.turn(1000);
  const second = await add(token, passkeyDevice().create(await optionsOf(token)), { name: 'My key' });
  expect(second).toMatchObject({ status: 200, body: { recovery_codes: null } });
  expect(await methodsOf(token)).toMatchObject({
    passkeys: [
      { name: 'Chrome on Windows', last_used: null },
      { name: 'My key', last_used: null },
    ],
    authenticator: null,
    recovery_codes_left: 10,
  });
});

test('the options ask for a passkey that logs in alone and verifies its user, for this site, and name those that are known', async () => {
  const { token, email } = await newcomer(server);
  const options = (await optionsOf(token)).options;
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: email },
    timeout: 300_000,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  const device = passkeyDevice();
  const made = device.create({ options: options ?? {} });
  await add(token, made);
  expect((await optionsOf(token)).options).toMatchObject({ excludeCredentials: [{ id: made.id, transports: ['internal', 'hybrid'] }] });
});

test('without the password or a passkey, and without a confirmed address, no passkey can be added', async () => {
  const { token } = await newcomer(server);
  const ask = (body: object) => server.call('POST /web/passkeys/options', { token, body });
  expect(await ask({})).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await ask({ current_password: '' })).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await ask({ current_password: 'wrong' })).toMatchObject({ status: 400, body: { code: 'password_wrong' } });
  const body = { name: 'New', email: `${randomUUID()}@example.org`, password: goodPassword };
  await server.call('POST /register', { body, headers: { 'x-forwarded-for': '198.18.40.1' } });
  const { body: login } = await server.call('POST /login/web', { body, headers: { 'x-forwarded-for': '198.18.40.1' } });
  const refused = await server.call('POST /web/passkeys/options', { token: String(login.web_token), body: password });
  expect(refused).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  expect((await ask(password)).status).toBe(200);
});

test('a new passkey that was made for another site, without verifying its user, or with another question is refused, and a right one is not', async () => {
  const { token } = await newcomer(server);
  const neighbour = await newcomer(server, 'Eve Other');
  const device = await addedPasskey(server, neighbour.token);
  const others = [
    await optionsOf(neighbour.token),
    (await server.call('POST /login/passkey/options')).body,
    (await server.call('POST /web/passkey-question', { token: neighbour.token })).body,
  ];
  const refused = async (faults: object[]) => {
    for (const fault of faults) {
      const made = passkeyDevice().create(await optionsOf(token), fault);
      expect(await add(token, made), JSON.stringify(fault)).toMatchObject(wrong);
    }
  };
  await refused(others.map(({ options }) => ({ challenge: String(options?.challenge) })));
  // The password may be entered ten times in five minutes.
  server.clock.turn(300_000);
  await refused([
    { origin: 'http://localhost:4381' },
    { origin: 'https://porchlight.example.net' },
    { rp_id: 'porchlight.example.net' },
    { user_verified: false },
    { challenge: '' },
    { challenge: Buffer.alloc(54).toString('base64url') },
  ]);
  const nonsense = passkeyDevice().create(await optionsOf(token));
  nonsense.response.attestationObject = 'AAAA';
  expect(await add(token, nonsense)).toMatchObject(wrong);
  // The neighbour's own authenticator, whose passkey has an account already.
  expect(await add(token, device.create(await optionsOf(token)))).toMatchObject(wrong);
  expect(await passkeysOf(token)).toEqual([]);
  expect((await add(token, passkeyDevice().create(await optionsOf(token)))).status).toBe(200);
});

test('a name that looks like a link or a number is refused, and such a name of a browser is not used, since guardians read it', async () => {
  const { token } = await newcomer(server);
  const options = await optionsOf(token);
  for (const name of ['call 1-800-555-0199', 'porchlight.example.net', ' ', 'x'.repeat(101)]) {
    expect(await add(token, passkeyDevice().create(options), { name }), name).toMatchObject({
      status: 422,
      body: { code: 'invalid_input' },
    });
  }
  await add(token, passkeyDevice().create(options), { userAgent: 'www.example.net/1.0 (call 1-800-555-0199)' });
  expect(await passkeysOf(token)).toMatchObject([{ name: 'A browser' }]);
});

test('what a maker states about an authenticator is not read, so no address in it is fetched', async () => {
  const { token } = await newcomer(server);
  const text = Buffer.from([0x63, 0x61, 0x6c, 0x67]);
  const unreadable = passkeyDevice().create(await optionsOf(token), {}, [[text, Buffer.from([0x26])]]);
  expect((await add(token, unreadable)).status).toBe(200);
});

test('a question for a new passkey ends after five minutes, and is answered once', async () => {
  const { token } = await newcomer(server);
  const options = await optionsOf(token);
  server.clock.turn(serverLimits.passkey_question_life - 1);
  expect((await add(token, passkeyDevice().create(options))).status).toBe(200);
  expect(await add(token, passkeyDevice().create(options))).toMatchObject(wrong);
  const late = await optionsOf(token);
  server.clock.turn(serverLimits.passkey_question_life);
  expect(await add(token, passkeyDevice().create(late))).toMatchObject(wrong);
  expect(await passkeysOf(token)).toHaveLength(1);
});

test('an account has ten passkeys at most, also when the last two are added at once', async () => {
  const { token } = await newcomer(server);
  const device = passkeyDevice();
  await addedPasskey(server, token, device);
  const proof = async () => ({ passkey: await passkeyProof(server, token, device) });
  for (let i = 1; i < serverLimits.passkeys_max - 1; i++) {
    server.clock.turn(60_000);
    await add(token, passkeyDevice().create(await optionsOf(token, await proof())));
  }
  const both = [await optionsOf(token, await proof()), await optionsOf(token, await proof())];
  const replies = await Promise.all(both.map((options) => add(token, passkeyDevice().create(options))));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await passkeysOf(token)).toHaveLength(serverLimits.passkeys_max);
  server.clock.turn(300_000);
  expect(await server.call('POST /web/passkeys/options', { token, body: password })).toMatchObject({
    status: 409,
    body: { code: 'passkey_limit' },
  });
  await remove(token, (await passkeysOf(token))[0]?.uuid ?? '');
  expect((await server.call('POST /web/passkeys/options', { token, body: password })).status).toBe(200);
});

test('[P13.1] the holder and the guardians are notified of an added and of a removed passkey by its name', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  await addedPasskey(server, token, passkeyDevice(), 'My key');
  expect(await textsTo(email)).toContain('Someone added a passkey (My key) to log in with');
  expect(await textsTo(bob.email)).toContain('Ann’s account has a new way to log in: a passkey (My key).');
  await remove(token, (await passkeysOf(token))[0]?.uuid ?? '');
  expect(await textsTo(email)).toContain('You removed a passkey (My key) from the ways to log in.');
  expect(await textsTo(bob.email)).toContain('Ann’s account lost a way to log in: a passkey (My key).');
});

test('[P13.1] a second passkey of the same name is reported at once, also right after the first one', async () => {
  const { token, email } = await newcomer(server);
  const added = async () => (await server.mailsTo(email)).filter(({ text }) => text.includes('added a passkey')).length;
  for (const count of [1, 2]) {
    await addedPasskey(server, token);
    expect(await added()).toBe(count);
  }
});

test('a passkey is removed with the password or a passkey, by its holder alone; the recovery codes go with the last way', async () => {
  const { token, email } = await newcomer(server);
  const neighbour = await newcomer(server, 'Eve Other');
  await addedPasskey(server, neighbour.token);
  const device = await addedPasskey(server, token, passkeyDevice(), 'First');
  server.clock.turn(1000);
  await addedPasskey(server, token, passkeyDevice(), 'Second');
  const [first, second] = await passkeysOf(token);
  expect(await remove(neighbour.token, first?.uuid ?? '')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await remove(token, first?.uuid ?? '', {})).toMatchObject({ status: 422 });
  expect(await remove(token, first?.uuid ?? '', { current_password: 'wrong' })).toMatchObject({ body: { code: 'password_wrong' } });
  expect(await passkeysOf(token)).toHaveLength(2);
  expect((await remove(token, first?.uuid ?? '', { passkey: await passkeyProof(server, token, device) })).status).toBe(200);
  expect(await methodsOf(token)).toMatchObject({ passkeys: [{ name: 'Second' }], recovery_codes_left: 10 });
  expect(await remove(token, first?.uuid ?? '')).toMatchObject({ status: 404 });
  // With an authenticator app the codes stay of use.
  const account = await accountOf(email);
  const app = { account, sealed_secret: '', created: server.clock.now(), last_step: 0 };
  await server.db.insertInto('authenticators').values(app).execute();
  await remove(token, second?.uuid ?? '');
  expect(await methodsOf(token)).toEqual({ passkeys: [], authenticator: server.clock.now().toISOString(), recovery_codes_left: 10 });
  await server.db.deleteFrom('authenticators').where('account', '=', account).execute();
  await addedPasskey(server, token, passkeyDevice());
  await remove(token, (await passkeysOf(token))[0]?.uuid ?? '');
  expect(await methodsOf(token)).toEqual({ passkeys: [], authenticator: null, recovery_codes_left: 0 });
  expect(await methodsOf(neighbour.token)).toMatchObject({ passkeys: [{}], recovery_codes_left: 10 });
});

test('questions write nothing, and the hourly cleanup deletes answered ones once they have ended', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token);
  await server.app.worker.idle();
  const used = async () => (await server.db.selectFrom('used_passkey_questions').select('question_hash').execute()).length;
  const writes = async () => [await used(), (await server.db.selectFrom('rate_counts').select('key').execute()).length];
  const before = await writes();
  for (let i = 0; i < 3; i++) {
    await server.call('POST /login/passkey/options');
    await server.call('POST /web/passkey-question', { token });
  }
  expect(await writes()).toEqual(before);
  await server.call('POST /web/reauthenticate', { token, body: { passkey: await passkeyProof(server, token, device) } });
  expect(await used()).toBe((before[0] ?? 0) + 1);
  server.clock.turn(3_600_000);
  await server.app.worker.idle();
  expect(await used()).toBe(0);
});
