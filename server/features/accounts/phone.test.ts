import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import { goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const profileOf = async (token: string) => (await server.call('GET /web/profile', { token })).body;
const save = (token: string, phone_number: string | null) =>
  server.call('PATCH /web/profile', { token, body: { phone_number, current_password: goodPassword } });
const send = (token: string) => server.call('POST /web/send-phone-code', { token });
const enter = (token: string, code: string) => server.call('POST /web/verify-phonenumber', { token, body: { code } });
/** The code of the newest text to a number. */
const codeTo = async (number: string) => /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
/** Another six digits: what a typing error makes of a code. */
const not = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

let numbers = 0;
/** Someone with a number of their own, to which a code has just been texted. */
async function asked() {
  const { token, email } = await person(server);
  const number = `+120255501${String(numbers++).padStart(2, '0')}`;
  await save(token, number);
  expect(await send(token)).toMatchObject({ status: 200, body: {} });
  return { token, email, number, code: await codeTo(number) };
}

const wrong = { status: 400, body: { code: 'phone_code_wrong' } };
const dead = { status: 410, body: { code: 'phone_code_expired' } };
const tooMany = { status: 429, body: { code: 'too_many' } };

test('[7.21] [5.18] [P2.5] the six digits of the text prove the number, once', async () => {
  const { token, number, code } = await asked();
  expect(code).toMatch(/^\d{6}$/);
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: false });
  expect(await enter(token, not(code))).toMatchObject(wrong);
  expect(await profileOf(token)).toMatchObject({ phone_number_verified: false });
  const { status, body } = await enter(token, ` ${code} `);
  expect([status, body]).toEqual([200, {}]);
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: true });
  expect(await enter(token, code)).toMatchObject(dead);
  // It is proved: there is nothing to be texted.
  expect(await send(token)).toMatchObject({ status: 200 });
  expect(await server.textsTo(number)).toHaveLength(1);
});

test('[5.18] five digits, seven, letters or nothing are no code, and no try', async () => {
  const { token, code } = await asked();
  for (const bad of [code.slice(1), `${code}0`, 'abcdef', '', '12 34 56', '１２３４５６']) {
    expect(await enter(token, bad), bad).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field: 'Code' }] } });
  }
  expect((await enter(token, code)).status).toBe(200);
});

test('[P2.5] a code works for ten minutes', async () => {
  const [early, late] = [await asked(), await asked()];
  server.clock.turn(10 * minute - 1);
  expect((await enter(early.token, early.code)).status).toBe(200);
  server.clock.turn(1);
  expect(await enter(late.token, late.code)).toMatchObject(dead);
  expect(await profileOf(late.token)).toMatchObject({ phone_number_verified: false });
});

test('[P2.5] a code can be tried five times', async () => {
  const [careful, careless] = [await asked(), await asked()];
  for (let i = 0; i < 4; i++) expect(await enter(careful.token, not(careful.code))).toMatchObject(wrong);
  expect((await enter(careful.token, careful.code)).status).toBe(200);

  for (let i = 0; i < 5; i++) expect(await enter(careless.token, not(careless.code))).toMatchObject(wrong);
  expect(await enter(careless.token, careless.code)).toMatchObject(dead);
  // A new one has five tries of its own.
  server.clock.turn(minute);
  await send(careless.token);
  const fresh = await codeTo(careless.number);
  expect(await enter(careless.token, not(fresh))).toMatchObject(wrong);
  expect((await enter(careless.token, fresh)).status).toBe(200);
});

test('[P2.5] guesses at the same moment are counted one by one', async () => {
  const { token, code } = await asked();
  const answers = await Promise.all(Array.from({ length: 12 }, () => enter(token, not(code))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(400), ...Array(7).fill(410)]);
  expect(await enter(token, code)).toMatchObject(dead);
});

test('[P2.5] a code is sent again after 60 seconds, from whichever browser, and ends the one before', async () => {
  const { token, email, number, code } = await asked();
  const { body } = await server.call('POST /login/web', { body: { email, password: goodPassword } });
  const other = String(body.web_token);
  const now = await send(token);
  expect(now).toMatchObject(tooMany);
  expect(now.headers['retry-after']).toBe('60');
  server.clock.turn(minute - 1);
  for (const from of [token, other]) {
    const refused = await send(from);
    expect(refused).toMatchObject(tooMany);
    expect(refused.headers['retry-after']).toBe('1');
  }
  server.clock.turn(1);
  expect((await send(other)).status).toBe(200);
  expect(await server.textsTo(number)).toHaveLength(2);
  const fresh = await codeTo(number);
  expect(fresh).not.toBe(code);
  expect(await enter(token, code)).toMatchObject(wrong);
  expect((await enter(token, fresh)).status).toBe(200);
});

test('[P2.5] another number forgets the code of the one before, and that it was proved', async () => {
  const { token, number, code } = await asked();
  const other = '+442079460958';
  await save(token, other);
  expect(await enter(token, code)).toMatchObject(dead);
  await save(token, number);
  expect(await enter(token, code)).toMatchObject(dead);
  server.clock.turn(minute);
  await send(token);
  expect((await enter(token, await codeTo(number))).status).toBe(200);

  // Neither another name nor the same number again is another number.
  await server.call('PATCH /web/profile', { token, body: { name: 'Ann Newname', phone_number: number } });
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: true });
  await save(token, other);
  expect(await profileOf(token)).toMatchObject({ phone_number: other, phone_number_verified: false });
  await save(token, number);
  expect(await profileOf(token)).toMatchObject({ phone_number: number, phone_number_verified: false });
  await save(token, null);
  expect(await send(token)).toMatchObject({ status: 409, body: { code: 'phone_missing' } });
});

test('a code that is entered while the number is changed proves the old one or nothing, and neither call fails', async () => {
  for (let i = 0; i < 8; i++) {
    const { token, code } = await asked();
    const answers = await Promise.all([enter(token, code), save(token, '+442079460958')]);
    expect([200, 410]).toContain(answers[0].status);
    expect(answers[1].status).toBe(200);
    expect(await profileOf(token)).toMatchObject({ phone_number: '+442079460958', phone_number_verified: false });
  }
});

test("[7.21] of two who entered the same number, one's code proves nothing for the other", async () => {
  const [ann, eve] = [await asked(), await asked()];
  server.clock.turn(minute);
  await save(eve.token, ann.number);
  await send(eve.token);
  const hers = await codeTo(ann.number);
  expect(await enter(ann.token, hers)).toMatchObject(wrong);
  expect(await enter(eve.token, ann.code)).toMatchObject(wrong);
  expect((await enter(ann.token, ann.code)).status).toBe(200);
  expect(await profileOf(eve.token)).toMatchObject({ phone_number_verified: false });
});

test('twenty codes in ten minutes are the most that anyone may try', async () => {
  const { token } = await person(server);
  for (let i = 0; i < 20; i++) expect(await enter(token, '123456')).toMatchObject(dead);
  server.clock.turn(10 * minute - 1);
  const refused = await enter(token, '123456');
  expect(refused).toMatchObject(tooMany);
  expect(refused.headers['retry-after']).toBe('1');
  server.clock.turn(1);
  expect(await enter(token, '123456')).toMatchObject(dead);
});

test('ten texts a day are the most that one number gets, whoever asks', async () => {
  const [{ token, number }, second, eve] = [await asked(), await person(server), await person(server)];
  for (const other of [second, eve]) await save(other.token, number);
  // Five of each of two (text-budgets.test.ts), the first of which has gone out.
  for (const who of [...Array<string>(4).fill(token), ...Array<string>(5).fill(second.token)]) {
    server.clock.turn(minute);
    expect((await send(who)).status).toBe(200);
  }
  expect(await send(eve.token)).toMatchObject({ status: 429, body: { code: 'phone_codes_spent' } });
  expect(await server.textsTo(number)).toHaveLength(10);
  server.clock.turn(24 * 60 * minute - 9 * minute);
  expect((await send(eve.token)).status).toBe(200);
});

test('[P2.5] the code is nowhere in the database or the log once its text has gone out, also when it was refused', async () => {
  const { token, code } = await asked();
  const opted = await person(server);
  await save(opted.token, '+15005550004');
  await send(opted.token);
  await server.app.worker.idle();
  expect(await profileOf(opted.token)).toMatchObject({ phone_number_opted_out: true, phone_number_host: '+15005550006' });
  expect(await server.textsTo('+15005550004')).toEqual([]);

  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(server.db);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['phone_codes', 'jobs', 'rate_counts']));
  for (const { name } of rows) {
    const { rows: all } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(server.db);
    const text = all.map(({ row }) => row).join('\n');
    // Not as a word of its own; within the hexadecimal digits of something else it may be there by chance.
    expect(text, name).not.toMatch(new RegExp(`(?<![0-9a-f-])${code}(?![0-9a-f-])`));
    expect(text, name).not.toContain('your code is');
  }
  expect(server.logged()).not.toContain(code);
  // Nor as a hash that anyone can make of each of the million there are.
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

test('a text that comes too late to be of use is not sent', async () => {
  const queue = enqueuer(server.clock);
  const text = { to: '+12025550198', body: 'Porchlight: your code is 123456.' };
  await queue(server.db, 'sms', 'late', { ...text, until: server.clock.now().toISOString() });
  expect(await server.textsTo(text.to)).toEqual([]);
  await queue(server.db, 'sms', 'in time', { ...text, until: new Date(server.clock.now().getTime() + 1).toISOString() });
  expect(await server.textsTo(text.to)).toHaveLength(1);
});
