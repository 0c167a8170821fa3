import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addedPasskey, type PasskeyFaults, passkeyDevice } from '../../../testing/passkey-device.ts';
import { fakeAddress, goodPassword, newcomer, type TestServer, testServer } from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const wrong = { status: 400, body: { code: 'passkey_wrong' } };
const question = async (on = server) => (await on.call('POST /login/passkey/options')).body;
const logIn = (passkey: object, headers: Record<string, string> = {}, on = server) =>
  on.call('POST /login/passkey', { body: { passkey }, headers: { 'x-forwarded-for': fakeAddress(), ...headers } });
const nameOf = async (token: unknown) => (await server.call('GET /web/profile', { token: String(token) })).body.name;
const uuidOf = async (token: string) =>
  ((await server.call('GET /web/sign-in-methods', { token })).body.passkeys as unknown as { uuid: string }[])[0]?.uuid ?? '';
const cookieOf = (reply: { headers: Record<string, unknown> }) => String([reply.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
const newBrowsers = async (email: string) =>
  (await server.mailsTo(email)).filter(({ subject }) => subject === 'Someone logged in from a new browser').length;

test('[P13.1] a passkey logs in alone, without address and password, as its own holder', async () => {
  const [ann, eve] = [await newcomer(server, 'Ann Example'), await newcomer(server, 'Eve Other')];
  const [annsDevice, evesDevice] = [await addedPasskey(server, ann.token), await addedPasskey(server, eve.token)];
  const { options } = await question();
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [], timeout: 300_000 });
  const reply = await logIn(annsDevice.answer(await question()), { 'user-agent': iphone });
  expect(reply.status).toBe(200);
  expect(await nameOf(reply.body.web_token)).toBe('Ann Example');
  expect(await nameOf((await logIn(evesDevice.answer(await question()))).body.web_token)).toBe('Eve Other');
  const { body } = await server.call('GET /web/accounts/sessions', { token: ann.token });
  expect((body.sessions as unknown as { browser: string }[]).map(({ browser }) => browser)).toContain('Safari on iOS');
  const { passkeys } = (await server.call('GET /web/sign-in-methods', { token: ann.token })).body;
  expect(passkeys).toMatchObject([{ last_used: server.clock.now().toISOString() }]);
});

test('a login by passkey from a new browser causes an email, and from a known one none', async () => {
  const { token, email } = await newcomer(server);
  const device = await addedPasskey(server, token);
  const reply = await logIn(device.answer(await question()), { 'user-agent': iphone });
  expect(await newBrowsers(email)).toBe(1);
  expect((await server.mailsTo(email))[0]?.text).toContain('Safari on iOS');
  expect((await logIn(device.answer(await question()), { 'user-agent': iphone, cookie: cookieOf(reply) })).status).toBe(200);
  expect(await newBrowsers(email)).toBe(1);
});

test('an answer counts once, also on two servers at the same time', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token);
  const other = await testServer({}, undefined, { otherServer: server });
  try {
    const answer = device.answer(await question());
    const replies = await Promise.all([logIn(answer), logIn(answer, {}, other), logIn(answer), logIn(answer, {}, other)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(await logIn(answer)).toMatchObject(wrong);
    // A question of one server is answered on the other.
    expect((await logIn(device.answer(await question()), {}, other)).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('a question to log in ends after five minutes', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token);
  const [early, late] = [await question(), await question()];
  server.clock.turn(serverLimits.passkey_question_life - 1);
  expect((await logIn(device.answer(early))).status).toBe(200);
  server.clock.turn(1);
  expect(await logIn(device.answer(late))).toMatchObject(wrong);
});

test('whatever is wrong with an answer, the reply is the same, sets no cookie and opens no session; a right one still logs in', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token);
  const eve = await newcomer(server, 'Eve Other');
  const evesDevice = await addedPasskey(server, eve.token);
  const faults: PasskeyFaults[] = [
    { origin: 'https://porchlight.example.net' },
    { rp_id: 'porchlight.example.net' },
    { user_verified: false },
    { user_handle: null },
    { user_handle: evesDevice.answer(await question()).response.userHandle ?? '' },
    { challenge: 'AAAA' },
    { challenge: String((await server.call('POST /web/passkey-question', { token })).body.options?.challenge) },
  ];
  const unknown = passkeyDevice();
  unknown.create(await question());
  const right = device.answer(await question());
  const flipped = (text: string) => `${text.slice(0, -3)}${text.at(-3) === 'A' ? 'B' : 'A'}${text.slice(-2)}`;
  const answers = [
    ...(await Promise.all(faults.map(async (fault) => device.answer(await question(), fault)))),
    unknown.answer(await question()),
    { ...right, response: { ...right.response, signature: flipped(right.response.signature) } },
    { ...right, response: { ...right.response, authenticatorData: '' } },
    { ...right, response: { ...right.response, clientDataJSON: Buffer.from('null').toString('base64url') } },
    { ...evesDevice.answer(await question()), id: right.id, rawId: right.rawId },
    { ...right, id: 'AAAA' },
  ];
  const sessions = async () => (await server.db.selectFrom('sessions').select('uuid').execute()).length;
  const before = await sessions();
  for (const [n, answer] of answers.entries()) {
    const { status, body, headers } = await logIn(answer);
    expect([status, body.code, headers['set-cookie']], `answer ${n}`).toEqual([400, 'passkey_wrong', undefined]);
  }
  expect(await sessions()).toBe(before);
  expect((await logIn(right)).status).toBe(200);
});

test('a passkey that counts its answers is refused when the number does not grow, since a copy of it exists; a passkey that stays at 0 is not', async () => {
  const { token } = await newcomer(server);
  const device = await addedPasskey(server, token, passkeyDevice({ counts: true }));
  expect((await logIn(device.answer(await question(), { counter: 7 }))).status).toBe(200);
  for (const counter of [7, 6, 0]) expect(await logIn(device.answer(await question(), { counter }))).toMatchObject(wrong);
  expect((await logIn(device.answer(await question(), { counter: 8 }))).status).toBe(200);
  const both = await Promise.all([9, 9].map(async (counter) => logIn(device.answer(await question(), { counter }))));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const synchronized = await addedPasskey(server, token);
  for (let i = 0; i < 3; i++) expect((await logIn(synchronized.answer(await question()))).status).toBe(200);
});

test('a removed passkey and one of a deleted account no longer log in, and another passkey of the account does', async () => {
  const { token, email } = await newcomer(server);
  const device = await addedPasskey(server, token);
  server.clock.turn(1000);
  const other = await addedPasskey(server, token);
  await server.call(`POST /web/passkeys/${await uuidOf(token)}/remove`, { token, body: { current_password: goodPassword } });
  expect(await logIn(device.answer(await question()))).toMatchObject(wrong);
  expect((await logIn(other.answer(await question()))).status).toBe(200);
  await server.db.deleteFrom('accounts').where('email', '=', email).execute();
  expect(await logIn(other.answer(await question()))).toMatchObject(wrong);
});

test('removing a passkey ends the other sessions that it opened, while those by another passkey and by the password go on', async () => {
  const { token } = await newcomer(server);
  const lost = await addedPasskey(server, token);
  const lostUuid = await uuidOf(token);
  const other = await addedPasskey(server, token);
  const sessionBy = async (device: typeof lost) => String((await logIn(device.answer(await question()))).body.web_token);
  const [ended, proven, going] = [await sessionBy(lost), await sessionBy(lost), await sessionBy(other)];
  // The password in between does not save the session of a thief.
  await server.call('POST /web/reauthenticate', { token: proven, body: { password: goodPassword } });
  const body = { current_password: goodPassword };
  expect((await server.call(`POST /web/passkeys/${lostUuid}/remove`, { token, body })).status).toBe(200);
  for (const gone of [ended, proven]) expect((await server.call('GET /web/profile', { token: gone })).status).toBe(401);
  expect([await nameOf(going), await nameOf(token)]).toEqual(['Ann Example', 'Ann Example']);
});

test('a caller may try ten logins a minute, by passkey and by password together, and another caller still may', async () => {
  const { token, email } = await newcomer(server);
  const device = await addedPasskey(server, token);
  const from = { 'x-forwarded-for': '198.18.41.1' };
  for (let i = 0; i < 5; i++) expect(await logIn(passkeyDevice().answer(await question()), from)).toMatchObject(wrong);
  for (let i = 0; i < 5; i++) await server.call('POST /login/web', { body: { email, password: 'wrong' }, headers: from });
  expect(await logIn(device.answer(await question()), from)).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect((await logIn(device.answer(await question()), { 'x-forwarded-for': '198.18.41.2' })).status).toBe(200);
  server.clock.turn(60_000);
  expect((await logIn(device.answer(await question()), from)).status).toBe(200);
});
