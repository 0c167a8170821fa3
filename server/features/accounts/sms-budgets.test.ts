import { brand } from '@porchlight/contract/brand.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  linkedDevice,
  newcomer,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

/** Texts cost money, and can be stolen (P11.5). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const day = 24 * 60 * minute;
let numbers = 1000;
const newNumber = () => `+1202555${numbers++}`;
const save = (on: TestServer, token: string, phone_number: string) =>
  on.call('PATCH /web/profile', { token, body: { phone_number, current_password: goodPassword } });
const ask = (on: TestServer, token: string, address = fakeAddress()) =>
  on.call('POST /web/send-phone-code', { token, headers: { 'x-forwarded-for': address } });
const sentBy = async (on: TestServer) => {
  await on.app.worker.idle();
  return Number(
    (
      await on.db
        .selectFrom('jobs')
        .select((q) => q.fn.countAll<string>().as('n'))
        .where('kind', '=', 'sms')
        .executeTakeFirstOrThrow()
    ).n,
  );
};
/** Proves a number, for the holder. */
async function prove(on: TestServer, token: string, number = newNumber()): Promise<string> {
  await save(on, token, number);
  await ask(on, token);
  const code = /\b\d{6}\b/.exec((await on.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
  expect((await on.call('POST /web/verify-phonenumber', { token, body: { code } })).status).toBe(200);
  return number;
}
const spent = { status: 429, body: { code: 'phone_codes_spent' } };

test('[P11.5] A7: twelve accounts whose address nobody confirmed get no text at all; one that is confirmed does', async () => {
  const before = await sentBy(server);
  const password = goodPassword;
  for (let i = 0; i < 12; i++) {
    const [email, headers] = [`pump-${i}@example.org`, { 'x-forwarded-for': fakeAddress() }];
    await server.call('POST /register', { body: { name: 'Pump', email, password, promo: null, signup_code: null }, headers });
    const token = String((await server.call('POST /login/web', { body: { email, password }, headers })).body.web_token);
    expect((await save(server, token, `+23480312345${String(i).padStart(2, '0')}`)).status).toBe(200);
    expect(await ask(server, token)).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  }
  expect(await sentBy(server)).toBe(before);
  const { token } = await newcomer(server);
  await save(server, token, newNumber());
  expect((await ask(server, token)).status).toBe(200);
  expect(await sentBy(server)).toBe(before + 1);
});

test('[P11.5] A7: an account has five codes a day, whatever number and place it asks for; the next day it has new ones, and others have theirs', async () => {
  const [ann, other] = [await newcomer(server), await newcomer(server)];
  const answers: number[] = [];
  for (let i = 0; i < 7; i++) {
    await save(server, ann.token, newNumber());
    answers.push((await ask(server, ann.token)).status);
    server.clock.turn(minute);
  }
  expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const refused = await ask(server, ann.token);
  server.clock.turn(minute);
  expect(await ask(server, ann.token)).toMatchObject(spent);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await save(server, other.token, newNumber());
  expect((await ask(server, other.token)).status).toBe(200);
  server.clock.turn(day);
  expect((await ask(server, ann.token)).status).toBe(200);
});

test('[P11.5] A7: a caller has ten codes a day for all accounts together: of IPv6 the whole network; another caller has their own', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { token } = await newcomer(server);
    await save(server, token, newNumber());
    statuses.push((await ask(server, token, `2001:db8:77:1::${i + 1}`)).status);
    if (i === 11) {
      server.clock.turn(minute);
      expect(await ask(server, token, '2001:db8:77:1:ffff::1')).toMatchObject(spent);
      server.clock.turn(minute);
      expect((await ask(server, token, '2001:db8:77:2::1')).status).toBe(200);
    }
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});

test('[P11.5] A7: the guardians of one account have ten codes a day together, and five each', async () => {
  const { token } = await person(server);
  const statuses: number[][] = [];
  for (const name of ['Bob', 'Carol', 'Dan']) {
    const { uuid, session } = await activeGuardian(server, token, name);
    const mine: number[] = [];
    for (let i = 0; i < 6; i++) {
      await server.call(`PATCH /guardian/${uuid}`, { headers: session, body: { phone_number: newNumber() } });
      const headers = { ...session, 'x-forwarded-for': fakeAddress() };
      mine.push((await server.call(`POST /guardian/${uuid}/send-phone-code`, { headers })).status);
      server.clock.turn(minute);
    }
    statuses.push(mine);
  }
  expect(statuses).toEqual([
    [200, 200, 200, 200, 200, 429],
    [200, 200, 200, 200, 200, 429],
    [429, 429, 429, 429, 429, 429],
  ]);
});

test('[P11.5] texts go to the countries that the operator chose, and a number of another one is refused with what to do', async () => {
  const here = await testServer({ TEXT_COUNTRIES: 'us, CA' });
  try {
    const { token } = await newcomer(here);
    const refused = await save(here, token, '+8801712345678');
    expect(refused).toMatchObject({ status: 422, body: { code: 'phone_country', fields: [{ field: 'PhoneNumber', tag: 'country' }] } });
    expect(String(refused.body.error)).toContain('Use a number from another country');
    expect((await save(here, token, '+12025550143')).status).toBe(200);
    // One that was entered while the list was longer.
    await here.db.updateTable('accounts').set({ phone_number: '+8801712345678' }).execute();
    expect(await ask(here, token)).toMatchObject({ status: 422, body: { code: 'phone_country' } });
    expect(await sentBy(here)).toBe(0);
    await save(here, token, '+16135550143');
    expect((await ask(here, token)).status).toBe(200);
  } finally {
    await here.close();
  }
});

test('[P11.5] the codes of the whole service have a budget, of which the operator hears at 80 % and at the end; alerts have one of their own', async () => {
  const here = await testServer({ CODE_TEXTS_PER_DAY: '5', ALERT_TEXTS_PER_DAY: '3' });
  const operator = async () => (await here.mailsTo(brand.support.email)).map(({ subject }) => subject).toReversed();
  const wants = async () => {
    const { token } = await newcomer(here);
    await save(here, token, newNumber());
    return ask(here, token);
  };
  try {
    const { token } = await person(here);
    const number = await prove(here, token);
    const { agent } = await linkedDevice(here, token);
    for (let i = 0; i < 2; i++) expect((await wants()).status).toBe(200);
    expect(await operator()).toEqual([]);
    expect((await wants()).status).toBe(200);
    expect(await operator()).toEqual(['4 of 5 code texts of today are used up']);
    expect((await wants()).status).toBe(200);
    // At once and many times over: no text more, and no mail more.
    const answers = await Promise.all(Array.from({ length: 6 }, wants));
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { code: 'texts_spent' } });
    expect(Number(answers[0]?.headers['retry-after'])).toBeGreaterThan(60);
    expect(await operator()).toEqual(['4 of 5 code texts of today are used up', 'All 5 code texts of today are used up']);
    expect(here.logged()).toContain('the budget of texts for today is used up');

    const report = (identifier: string) =>
      here.call('POST /agent/detections', { token: agent, body: { detections: [detection(here, { identifier })] } });
    const alerts = async () => (await here.textsTo(number)).filter(({ body }) => !body.includes('your code'));
    for (let i = 0; i < 5; i++) await report(`threat-${i}`);
    expect(await alerts()).toHaveLength(3);
    expect((await operator()).slice(2)).toEqual(['All 3 alert texts of today are used up']);
    server.clock.turn(day);
    here.clock.turn(day);
    await report('threat-of-tomorrow');
    expect(await alerts()).toHaveLength(4);
    expect((await wants()).status).toBe(200);
  } finally {
    await here.close();
  }
});

test('[P11.5] A7: a device that floods its account with detections costs sixty texts a day, says so in the last one, and the mails go on', async () => {
  const { token, email } = await person(server);
  const number = await prove(server, token);
  const { agent } = await linkedDevice(server, token);
  const flood = Array.from({ length: 70 }, (_, n) => detection(server, { identifier: `threat-${n}` }));
  await server.call('POST /agent/detections', { token: agent, body: { detections: flood } });
  const texts = (await server.textsTo(number)).filter(({ body }) => !body.includes('your code'));
  expect(texts).toHaveLength(60);
  expect(texts.filter(({ body }) => body.includes('No more texts today'))).toHaveLength(1);
  expect((await server.mailsTo(email)).filter(({ subject }) => /blocked/i.test(subject))).toHaveLength(70);
  // What weakens protection is counted apart.
  await server.call('GET /web/bypasspassword', { token });
  expect((await server.textsTo(number))[0]?.body).toContain('Admin PIN');
});
