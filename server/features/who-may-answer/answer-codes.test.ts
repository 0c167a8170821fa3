import { day, hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countKeys, limiter } from '../../http/rate-limit.ts';
import { enqueuer } from '../../jobs/queue.ts';
import { fail } from '../../lib/errors.ts';
import { sealer } from '../../secrets/seal.ts';
import {
  activeGuardian,
  fakeAddress,
  goodPassword,
  linkedDevice,
  newcomer,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';
import { budgets } from '../../texts/budgets.ts';
import { fitsOneSms } from '../../texts/sms-text.ts';
import { type AnswerCodeDeps, type Answerer, answerCodes, isProvenPhone } from './answer-codes.ts';
import { holdSettingsStore } from './hold-settings.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let numbers = 0;
const newNumber = () => `+12025553${String(numbers++).padStart(3, '0')}`;
/** The newest code; a notification may be newer. */
const codeTo = async (number: string) => (await server.textsTo(number)).flatMap(({ body }) => /\b\d{6}\b/.exec(body)?.[0] ?? [])[0] ?? '';
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const rejectsWith = (code: string) => ({ code });

/** The codes of this server, composed as its routes do. */
function codesWith(more: Partial<AnswerCodeDeps> & { codes_per_day?: number } = {}) {
  const { db, clock } = server;
  const most = { codes: more.codes_per_day ?? 1000, alerts: 0 };
  const log = { warn: () => {} };
  const testSealer = sealer('a secret key for tests, thirty-two characters');
  return answerCodes({
    ...{ db, clock, limit: limiter(db, clock, countKeys(testSealer)), sealer: testSealer },
    countries: 'all',
    budgets: budgets({ db, clock, most, log, notifyOperator: async () => {} }),
    enqueue: enqueuer(clock),
    holdSettings: holdSettingsStore(db, clock),
    sms: true,
    ...more,
  });
}

/** Checks a code and uses it up, as an answer does. */
async function enter(who: Answerer, code: string) {
  const useCode = await codesWith().check(who, code);
  await server.db.transaction().execute(useCode);
}

async function accountOf(email: string): Promise<Answerer> {
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  return { kind: 'holder', uuid, account: uuid };
}

async function savePhone(token: string, number: string | null) {
  await server.call('PATCH /web/profile', { token, body: { phone_number: number, current_password: goodPassword } });
}
async function verifyPhone(token: string, number = newNumber()): Promise<string> {
  await savePhone(token, number);
  await server.call('POST /web/send-phone-code', { token, headers: { 'x-forwarded-for': fakeAddress() } });
  expect((await server.call('POST /web/verify-phonenumber', { token, body: { code: await codeTo(number) } })).status).toBe(200);
  return number;
}

/** A holder whose account connected now, and a guardian; both verify their numbers within the first 24 hours. */
async function holderAndGuardian() {
  const { token, email } = await person(server);
  await linkedDevice(server, token);
  const number = await verifyPhone(token);
  const holder = await accountOf(email);
  const bob = await activeGuardian(server, token);
  const bobsNumber = newNumber();
  const headers = { ...bob.session, 'x-forwarded-for': fakeAddress() };
  const changePhone = (phone_number: string) => server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { phone_number } });
  const prove = async (phone: string) => {
    await server.call(`POST /guardian/${bob.uuid}/send-phone-code`, { headers });
    await server.call(`POST /guardian/${bob.uuid}/verify-phone`, { headers, body: { code: await codeTo(phone) } });
  };
  await changePhone(bobsNumber);
  await prove(bobsNumber);
  // The wait between two codes.
  server.clock.turn(minute);
  const guardian: Answerer = { kind: 'guardian', uuid: bob.uuid, account: holder.account };
  return { token, holder, number, guardian, bob, bobsNumber, changePhone, prove };
}

const now = new Date('2026-11-21T14:05:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
test.each<[string, Omit<Parameters<typeof isProvenPhone>[0], 'now'>, boolean]>([
  ['never verified', { verified: false, verified_time: null, first_connected: null }, false],
  ['never verified, at set-up', { verified: false, verified_time: null, first_connected: ago(hour) }, false],
  ['verified before the time was stored', { verified: true, verified_time: null, first_connected: ago(90 * day) }, true],
  ['verified just now, long after set-up', { verified: true, verified_time: now, first_connected: ago(90 * day) }, false],
  [
    'verified a moment less than 72 hours ago',
    { verified: true, verified_time: ago(72 * hour - 1), first_connected: ago(90 * day) },
    false,
  ],
  ['verified 72 hours ago', { verified: true, verified_time: ago(72 * hour), first_connected: ago(90 * day) }, true],
  ['verified 72 hours ago, never connected', { verified: true, verified_time: ago(72 * hour), first_connected: null }, true],
  ['verified just now, never connected', { verified: true, verified_time: now, first_connected: null }, false],
  ['verified 24 hours after the first connection', { verified: true, verified_time: ago(hour), first_connected: ago(25 * hour) }, true],
  ['verified a moment later', { verified: true, verified_time: ago(hour - 1), first_connected: ago(25 * hour) }, false],
  ['verified before the first connection', { verified: true, verified_time: ago(2 * hour), first_connected: ago(hour) }, true],
  [
    'verified once, and the time belongs to a former number',
    { verified: false, verified_time: ago(90 * day), first_connected: null },
    false,
  ],
])('a phone number is proven or not: %s', (_title, facts, expected) => {
  expect(isProvenPhone({ ...facts, now })).toBe(expected);
});

test('a holder and a guardian each get a code by text message, which says what it is for and is used once', async () => {
  const { holder, number, guardian, bobsNumber } = await holderAndGuardian();
  await codesWith().send(holder, fakeAddress());
  await codesWith().send(guardian, fakeAddress());
  const [text] = await server.textsTo(number);
  expect(text?.body).toMatch(/^Your Porchlight code to answer: \d{6}\. .*never give it to anybody who calls you/);
  expect(fitsOneSms(text?.body ?? '')).toBe(true);
  const [holdersCode, guardiansCode] = [await codeTo(number), await codeTo(bobsNumber)];
  await expect(enter(holder, wrongCodeFor(holdersCode))).rejects.toMatchObject(rejectsWith('phone_code_wrong'));
  await enter(holder, holdersCode);
  await expect(enter(holder, holdersCode)).rejects.toMatchObject(rejectsWith('phone_code_expired'));
  // The guardian's code is still valid, for the guardian alone.
  await expect(enter(holder, guardiansCode)).rejects.toMatchObject(rejectsWith('phone_code_expired'));
  await enter(guardian, guardiansCode);
});

test('a code stays valid when its answer fails, and of two simultaneous answers one uses it', async () => {
  const { holder, number, guardian, bobsNumber } = await holderAndGuardian();
  await codesWith().send(holder, fakeAddress());
  await codesWith().send(guardian, fakeAddress());
  const code = await codeTo(number);
  const useCode = await codesWith().check(holder, code);
  const failedAnswer = server.db.transaction().execute(async (trx) => {
    await useCode(trx);
    fail('not_found');
  });
  await expect(failedAnswer).rejects.toMatchObject(rejectsWith('not_found'));
  const results = await Promise.allSettled([enter(holder, code), enter(holder, code)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await enter(guardian, await codeTo(bobsNumber));
});

test('a code allows five attempts, and expires after ten minutes', async () => {
  const [careless, late] = [await holderAndGuardian(), await holderAndGuardian()];
  await codesWith().send(careless.holder, fakeAddress());
  await codesWith().send(careless.guardian, fakeAddress());
  await codesWith().send(late.holder, fakeAddress());
  const code = await codeTo(careless.number);
  const attempts = await Promise.allSettled(Array.from({ length: 7 }, () => enter(careless.holder, wrongCodeFor(code))));
  const reasons = attempts.map((attempt) => (attempt.status === 'rejected' ? (attempt.reason as { code: string }).code : 'right'));
  expect(reasons.toSorted()).toEqual([...Array(2).fill('phone_code_expired'), ...Array(5).fill('phone_code_wrong')]);
  await expect(enter(careless.holder, code)).rejects.toMatchObject(rejectsWith('phone_code_expired'));
  server.clock.turn(10 * minute - 1);
  await enter(careless.guardian, await codeTo(careless.bobsNumber));
  server.clock.turn(1);
  await expect(enter(late.holder, await codeTo(late.number))).rejects.toMatchObject(rejectsWith('phone_code_expired'));
});

test('a number that is verified after the first 24 hours gets codes 72 hours later, and others stay as they are', async () => {
  const { token, holder, guardian, number, bobsNumber, changePhone, prove } = await holderAndGuardian();
  const proven = async () => [await codesWith().hasProvenPhone(holder), await codesWith().hasProvenPhone(guardian)];
  expect(await proven()).toEqual([true, true]);
  server.clock.turn(day);
  const newPhone = await verifyPhone(token);
  expect(await proven()).toEqual([false, true]);
  await expect(codesWith().send(holder, fakeAddress())).rejects.toMatchObject(rejectsWith('phone_missing'));
  expect(await server.textsTo(newPhone)).toHaveLength(1);
  server.clock.turn(72 * hour - 1);
  expect(await proven()).toEqual([false, true]);
  const bobsNewPhone = newNumber();
  await changePhone(bobsNewPhone);
  expect(await proven()).toEqual([false, false]);
  await prove(bobsNewPhone);
  server.clock.turn(1);
  expect(await proven()).toEqual([true, false]);
  // Going back to the first number does not bring its proof back.
  await savePhone(token, number);
  expect(await proven()).toEqual([false, false]);
  server.clock.turn(72 * hour - 1);
  expect(await proven()).toEqual([false, true]);
  await changePhone(bobsNumber);
  expect(await proven()).toEqual([false, false]);
});

test('a code for a former number expires, and a code that verifies a number does not answer', async () => {
  const { token, holder, guardian, number, bobsNumber } = await holderAndGuardian();
  await codesWith().send(holder, fakeAddress());
  await codesWith().send(guardian, fakeAddress());
  const code = await codeTo(number);
  const otherNumber = newNumber();
  await savePhone(token, otherNumber);
  await expect(enter(holder, code)).rejects.toMatchObject(rejectsWith('phone_code_expired'));
  server.clock.turn(minute);
  await server.call('POST /web/send-phone-code', { token, headers: { 'x-forwarded-for': fakeAddress() } });
  await expect(enter(holder, await codeTo(otherNumber))).rejects.toMatchObject(rejectsWith('phone_code_expired'));
  // An answer code verifies no number either.
  expect(await server.call('POST /web/verify-phonenumber', { token, body: { code } })).toMatchObject({ status: 400 });
  await enter(guardian, await codeTo(bobsNumber));
});

test('nobody gets a code without a number, where the server sends no text messages, or in the name of another account', async () => {
  const { holder, guardian } = await holderAndGuardian();
  const other = await accountOf((await newcomer(server)).email);
  await expect(codesWith().send(other, fakeAddress())).rejects.toMatchObject(rejectsWith('phone_missing'));
  await expect(codesWith({ sms: false }).send(holder, fakeAddress())).rejects.toMatchObject(rejectsWith('phone_missing'));
  const stranger = { ...guardian, account: other.account };
  await expect(codesWith().send(stranger, fakeAddress())).rejects.toMatchObject(rejectsWith('phone_missing'));
  expect(await codesWith().hasProvenPhone(guardian)).toBe(true);
});

test('where the server verifies no numbers, none is proven', async () => {
  const otherServer = await testServer({ FEATURE_PHONE_VERIFICATION: 'off' });
  try {
    const { token, email } = await person(otherServer);
    await otherServer.call('PATCH /web/profile', { token, body: { phone_number: '+12025550143', current_password: goodPassword } });
    expect((await otherServer.call('GET /web/profile', { token })).body).toMatchObject({ phone_number_verified: true });
    const { uuid } = await otherServer.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
    const holder: Answerer = { kind: 'holder', uuid, account: uuid };
    expect(await codesWith({ db: otherServer.db }).hasProvenPhone(holder)).toBe(false);
    await otherServer.db.updateTable('accounts').set({ phone_number_verified: true }).execute();
    expect(await codesWith({ db: otherServer.db }).hasProvenPhone(holder)).toBe(true);
  } finally {
    await otherServer.close();
  }
});

test('[P11.5] answer codes share the limits of other codes: once a minute, five a day, countries, and the budget', async () => {
  const { token, holder, guardian } = await holderAndGuardian();
  const limited = [
    [codesWith({ countries: ['DE'] }), 'phone_country'],
    [codesWith({ codes_per_day: 0 }), 'texts_spent'],
  ] as const;
  for (const [codes, code] of limited) {
    await expect(codes.send(holder, fakeAddress())).rejects.toMatchObject(rejectsWith(code));
    server.clock.turn(minute);
  }
  // One code verified the number, and one was refused by the budget.
  for (let i = 0; i < 3; i++) {
    await codesWith().send(holder, fakeAddress());
    await expect(codesWith().send(holder, fakeAddress())).rejects.toMatchObject(rejectsWith('too_many'));
    server.clock.turn(minute);
  }
  await expect(codesWith().send(holder, fakeAddress())).rejects.toMatchObject(rejectsWith('phone_codes_spent'));
  server.clock.turn(minute);
  await savePhone(token, newNumber());
  expect(await server.call('POST /web/send-phone-code', { token })).toMatchObject({ status: 429, body: { code: 'phone_codes_spent' } });
  await codesWith().send(guardian, fakeAddress());
});

test('expired codes are deleted, and valid ones stay', async () => {
  const [first, second] = [await holderAndGuardian(), await holderAndGuardian()];
  await codesWith().send(first.holder, fakeAddress());
  server.clock.turn(hour);
  await codesWith().send(second.holder, fakeAddress());
  await server.app.worker.idle();
  const rows = await server.db.selectFrom('answer_codes').select('person').execute();
  expect(rows.map(({ person: uuid }) => uuid)).toContain(second.holder.uuid);
  expect(rows.map(({ person: uuid }) => uuid)).not.toContain(first.holder.uuid);
});
