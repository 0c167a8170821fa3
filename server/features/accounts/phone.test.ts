import { createHash } from 'node:crypto';
import { minute } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import { goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const profileOf = async (token: string) => (await server.call('GET /web/profile', { token })).body;
const savePhone = (token: string, phone_number: string | null) =>
  server.call('PATCH /web/profile', { token, body: { phone_number, current_password: goodPassword } });
const sendCode = (token: string) => server.call('POST /web/send-phone-code', { token });
const enterCode = (token: string, code: string) => server.call('POST /web/verify-phonenumber', { token, body: { code } });
const codeTo = async (number: string) => /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

let numbers = 0;
async function userWithCode() {
  const { token, email } = await person(server);
  const number = `+120255501${String(numbers++).padStart(2, '0')}`;
  await savePhone(token, number);
  expect(await sendCode(token)).toMatchObject({ status: 200, body: {} });
  return { token, email, number, code: await codeTo(number) };
}

const wrongCodeReply = { status: 400, body: { code: 'phone_code_wrong' } };
const expiredCodeReply = { status: 410, body: { code: 'phone_code_expired' } };
const tooManyReply = { status: 429, body: { code: 'too_many' } };

test('[7.21] [5.18] [P2.5] the six digits in the text message verify the number, once', async () => {
  const { token, number, code } = await userWithCode();
  expect(code).toMatch(/^\d{6}$/);
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: false });
  expect(await enterCode(token, wrongCodeFor(code))).toMatchObject(wrongCodeReply);
  expect(await profileOf(token)).toMatchObject({ phone_number_verified: false });
  const { status, body } = await enterCode(token, ` ${code} `);
  expect([status, body]).toEqual([200, {}]);
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: true });
  expect(await enterCode(token, code)).toMatchObject(expiredCodeReply);
  expect(await sendCode(token)).toMatchObject({ status: 200 });
  expect(await server.textsTo(number)).toHaveLength(1);
});

test('[5.18] five digits, seven digits, letters or an empty code are invalid and do not count as an attempt', async () => {
  const { token, code } = await userWithCode();
  for (const invalidCode of [code.slice(1), `${code}0`, 'abcdef', '', '12 34 56', '１２３４５６']) {
    expect(await enterCode(token, invalidCode), invalidCode).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', fields: [{ field: 'Code' }] },
    });
  }
  expect((await enterCode(token, code)).status).toBe(200);
});

test('[P2.5] a code expires after ten minutes', async () => {
  const [activeUser, lateUser] = [await userWithCode(), await userWithCode()];
  server.clock.turn(10 * minute - 1);
  expect((await enterCode(activeUser.token, activeUser.code)).status).toBe(200);
  server.clock.turn(1);
  expect(await enterCode(lateUser.token, lateUser.code)).toMatchObject(expiredCodeReply);
  expect(await profileOf(lateUser.token)).toMatchObject({ phone_number_verified: false });
});

test('[P2.5] a code allows five attempts', async () => {
  const [carefulUser, carelessUser] = [await userWithCode(), await userWithCode()];
  for (let i = 0; i < 4; i++) expect(await enterCode(carefulUser.token, wrongCodeFor(carefulUser.code))).toMatchObject(wrongCodeReply);
  expect((await enterCode(carefulUser.token, carefulUser.code)).status).toBe(200);

  for (let i = 0; i < 5; i++) expect(await enterCode(carelessUser.token, wrongCodeFor(carelessUser.code))).toMatchObject(wrongCodeReply);
  expect(await enterCode(carelessUser.token, carelessUser.code)).toMatchObject(expiredCodeReply);
  server.clock.turn(minute);
  await sendCode(carelessUser.token);
  const newCode = await codeTo(carelessUser.number);
  expect(await enterCode(carelessUser.token, wrongCodeFor(newCode))).toMatchObject(wrongCodeReply);
  expect((await enterCode(carelessUser.token, newCode)).status).toBe(200);
});

test('[P2.5] simultaneous guesses are counted one by one', async () => {
  const { token, code } = await userWithCode();
  const replies = await Promise.all(Array.from({ length: 12 }, () => enterCode(token, wrongCodeFor(code))));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(400), ...Array(7).fill(410)]);
  expect(await enterCode(token, code)).toMatchObject(expiredCodeReply);
});

test('[P2.5] a code is sent again after 60 seconds, from any browser, and invalidates the previous one', async () => {
  const { token, email, number, code } = await userWithCode();
  const { body } = await server.call('POST /login/web', { body: { email, password: goodPassword } });
  const otherToken = String(body.web_token);
  const firstReply = await sendCode(token);
  expect(firstReply).toMatchObject(tooManyReply);
  expect(firstReply.headers['retry-after']).toBe('60');
  server.clock.turn(minute - 1);
  for (const senderToken of [token, otherToken]) {
    const refusedReply = await sendCode(senderToken);
    expect(refusedReply).toMatchObject(tooManyReply);
    expect(refusedReply.headers['retry-after']).toBe('1');
  }
  server.clock.turn(1);
  expect((await sendCode(otherToken)).status).toBe(200);
  expect(await server.textsTo(number)).toHaveLength(2);
  const newCode = await codeTo(number);
  expect(newCode).not.toBe(code);
  expect(await enterCode(token, code)).toMatchObject(wrongCodeReply);
  expect((await enterCode(token, newCode)).status).toBe(200);
});

test('[P2.5] changing the number invalidates the code and the verification of the previous one', async () => {
  const { token, number, code } = await userWithCode();
  const otherNumber = '+442079460958';
  await savePhone(token, otherNumber);
  expect(await enterCode(token, code)).toMatchObject(expiredCodeReply);
  await savePhone(token, number);
  expect(await enterCode(token, code)).toMatchObject(expiredCodeReply);
  server.clock.turn(minute);
  await sendCode(token);
  expect((await enterCode(token, await codeTo(number))).status).toBe(200);

  await server.call('PATCH /web/profile', { token, body: { name: 'Ann Newname', phone_number: number } });
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: true });
  await savePhone(token, otherNumber);
  expect(await profileOf(token)).toMatchObject({ phone_number: otherNumber, phone_number_verified: false });
  await savePhone(token, number);
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: false });
  await savePhone(token, null);
  expect(await sendCode(token)).toMatchObject({ status: 409, body: { code: 'phone_missing' } });
});

test('a code entered while the number is being changed verifies the old number or nothing, and neither request fails', async () => {
  for (let i = 0; i < 8; i++) {
    const { token, code } = await userWithCode();
    const replies = await Promise.all([enterCode(token, code), savePhone(token, '+442079460958')]);
    expect([200, 410]).toContain(replies[0].status);
    expect(replies[1].status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ phone_number: '+442079460958', phone_number_verified: false });
  }
});

test('[7.21] when two users entered the same number, a code of one verifies nothing for the other', async () => {
  const [ann, eve] = [await userWithCode(), await userWithCode()];
  server.clock.turn(minute);
  await savePhone(eve.token, ann.number);
  await sendCode(eve.token);
  const annsCode = await codeTo(ann.number);
  expect(await enterCode(ann.token, annsCode)).toMatchObject(wrongCodeReply);
  expect(await enterCode(eve.token, ann.code)).toMatchObject(wrongCodeReply);
  expect((await enterCode(ann.token, ann.code)).status).toBe(200);
  expect(await profileOf(eve.token)).toMatchObject({ phone_number_verified: false });
});

test('an account can try at most twenty codes in ten minutes', async () => {
  const { token } = await person(server);
  for (let i = 0; i < 20; i++) expect(await enterCode(token, '123456')).toMatchObject(expiredCodeReply);
  server.clock.turn(10 * minute - 1);
  const refusedReply = await enterCode(token, '123456');
  expect(refusedReply).toMatchObject(tooManyReply);
  expect(refusedReply.headers['retry-after']).toBe('1');
  server.clock.turn(1);
  expect(await enterCode(token, '123456')).toMatchObject(expiredCodeReply);
});

test('a number receives at most ten text messages a day, from any account', async () => {
  const [{ token, number }, secondUser, eve] = [await userWithCode(), await person(server), await person(server)];
  for (const otherUser of [secondUser, eve]) await savePhone(otherUser.token, number);
  // Each account may send five text messages (sms-budgets.test.ts); the first account already sent one.
  for (const senderToken of [...Array<string>(4).fill(token), ...Array<string>(5).fill(secondUser.token)]) {
    server.clock.turn(minute);
    expect((await sendCode(senderToken)).status).toBe(200);
  }
  expect(await sendCode(eve.token)).toMatchObject({ status: 429, body: { code: 'phone_codes_spent' } });
  expect(await server.textsTo(number)).toHaveLength(10);
  server.clock.turn(24 * 60 * minute - 9 * minute);
  expect((await sendCode(eve.token)).status).toBe(200);
});

test('[P2.5] once its text message was sent or refused, the code is in neither the database nor the log', async () => {
  const { token, code } = await userWithCode();
  const optedOutUser = await person(server);
  await savePhone(optedOutUser.token, '+15005550004');
  await sendCode(optedOutUser.token);
  await server.app.worker.idle();
  expect(await profileOf(optedOutUser.token)).toMatchObject({ phone_number_opted_out: true, phone_number_host: '+15005550006' });
  expect(await server.textsTo('+15005550004')).toEqual([]);

  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(server.db);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['phone_codes', 'jobs', 'rate_counts']));
  for (const { name } of rows) {
    const { rows: tableRows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(server.db);
    const text = tableRows.map(({ row }) => row).join('\n');
    // The code is searched as a separate word: within hexadecimal digits it may occur by chance.
    expect(text, name).not.toMatch(new RegExp(`(?<![0-9a-f-])${code}(?![0-9a-f-])`));
    expect(text, name).not.toContain('your code is');
  }
  expect(server.logged()).not.toMatch(new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`));
  // The stored hash is keyed: an attacker could reverse an unkeyed hash by trying all million codes.
  const { account, code_hash } = await server.db
    .selectFrom('phone_codes')
    .innerJoin('sessions', 'sessions.account', 'phone_codes.account')
    .select(['phone_codes.account', 'code_hash'])
    .where('sessions.token_hash', '=', createHash('sha256').update(token).digest())
    .executeTakeFirstOrThrow();
  for (const guess of [code, `${account}:${code}`, `${code}:${account}`, account + code, code + account]) {
    expect(code_hash.equals(createHash('sha256').update(guess).digest())).toBe(false);
  }
});

test('a text message whose deadline has passed is not sent', async () => {
  const queue = enqueuer(server.clock);
  const text = { to: '+12025550198', body: 'Porchlight: your code is 123456.' };
  await queue(server.db, 'sms', 'late', { ...text, until: server.clock.now().toISOString() });
  expect(await server.textsTo(text.to)).toEqual([]);
  await queue(server.db, 'sms', 'in time', { ...text, until: new Date(server.clock.now().getTime() + 1).toISOString() });
  expect(await server.textsTo(text.to)).toHaveLength(1);
});

test('the time of a verification is stored with the number, and removed when the number changes', async () => {
  const [ann, eve] = [await userWithCode(), await userWithCode()];
  const timeOf = async ({ email }: { email: string }) =>
    (await server.db.selectFrom('accounts').select('phone_verified_time').where('email', '=', email).executeTakeFirstOrThrow())
      .phone_verified_time;
  server.clock.turn(minute);
  await enterCode(ann.token, wrongCodeFor(ann.code));
  expect([await timeOf(ann), await timeOf(eve)]).toEqual([null, null]);
  await enterCode(ann.token, ann.code);
  const annsTime = server.clock.now();
  expect([await timeOf(ann), await timeOf(eve)]).toEqual([annsTime, null]);
  server.clock.turn(minute);
  await enterCode(eve.token, eve.code);
  expect([await timeOf(ann), await timeOf(eve)]).toEqual([annsTime, server.clock.now()]);
  // The same number again is no change.
  await savePhone(eve.token, eve.number);
  await savePhone(ann.token, '+442079460958');
  expect([await timeOf(ann), await timeOf(eve)]).toEqual([null, server.clock.now()]);
});
