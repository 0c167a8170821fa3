import { brand } from '@porchlight/contract/brand.ts';
import { day, minute } from '@porchlight/contract/time.ts';
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

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let numbers = 1000;
const newNumber = () => `+1202555${numbers++}`;
const savePhone = (targetServer: TestServer, token: string, phone_number: string) =>
  targetServer.call('PATCH /web/profile', { token, body: { phone_number, current_password: goodPassword } });
const requestCodeOn = (targetServer: TestServer, token: string, address = fakeAddress()) =>
  targetServer.call('POST /web/send-phone-code', { token, headers: { 'x-forwarded-for': address } });
const textsSentBy = async (targetServer: TestServer) => {
  await targetServer.app.worker.idle();
  return Number(
    (
      await targetServer.db
        .selectFrom('jobs')
        .select((q) => q.fn.countAll<string>().as('n'))
        .where('kind', '=', 'sms')
        .executeTakeFirstOrThrow()
    ).n,
  );
};
async function verifyNumber(targetServer: TestServer, token: string, number = newNumber()): Promise<string> {
  await savePhone(targetServer, token, number);
  await requestCodeOn(targetServer, token);
  const code = /\b\d{6}\b/.exec((await targetServer.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
  expect((await targetServer.call('POST /web/verify-phonenumber', { token, body: { code } })).status).toBe(200);
  return number;
}
const budgetSpentReply = { status: 429, body: { code: 'phone_codes_spent' } };

test('[P11.5] A7: twelve accounts with unconfirmed addresses receive no text messages; a confirmed one does', async () => {
  const textsBefore = await textsSentBy(server);
  const password = goodPassword;
  for (let i = 0; i < 12; i++) {
    const [email, headers] = [`pump-${i}@example.org`, { 'x-forwarded-for': fakeAddress() }];
    await server.call('POST /register', { body: { name: 'Pump', email, password, promo: null, signup_code: null }, headers });
    const token = String((await server.call('POST /login/web', { body: { email, password }, headers })).body.web_token);
    expect((await savePhone(server, token, `+23480312345${String(i).padStart(2, '0')}`)).status).toBe(200);
    expect(await requestCodeOn(server, token)).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  }
  expect(await textsSentBy(server)).toBe(textsBefore);
  const { token } = await newcomer(server);
  await savePhone(server, token, newNumber());
  expect((await requestCodeOn(server, token)).status).toBe(200);
  expect(await textsSentBy(server)).toBe(textsBefore + 1);
});

test('[P11.5] A7: an account can request five codes a day, for any numbers and from any addresses', async () => {
  const [ann, otherUser] = [await newcomer(server), await newcomer(server)];
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) {
    await savePhone(server, ann.token, newNumber());
    statuses.push((await requestCodeOn(server, ann.token)).status);
    server.clock.turn(minute);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const refusedReply = await requestCodeOn(server, ann.token);
  server.clock.turn(minute);
  expect(await requestCodeOn(server, ann.token)).toMatchObject(budgetSpentReply);
  expect(Number(refusedReply.headers['retry-after'])).toBeGreaterThan(0);
  await savePhone(server, otherUser.token, newNumber());
  expect((await requestCodeOn(server, otherUser.token)).status).toBe(200);
  server.clock.turn(day);
  expect((await requestCodeOn(server, ann.token)).status).toBe(200);
});

test('[P11.5] A7: one IP address or IPv6 network can request ten codes a day for all accounts together', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { token } = await newcomer(server);
    await savePhone(server, token, newNumber());
    statuses.push((await requestCodeOn(server, token, `2001:db8:77:1::${i + 1}`)).status);
    if (i === 11) {
      server.clock.turn(minute);
      expect(await requestCodeOn(server, token, '2001:db8:77:1:ffff::1')).toMatchObject(budgetSpentReply);
      server.clock.turn(minute);
      expect((await requestCodeOn(server, token, '2001:db8:77:2::1')).status).toBe(200);
    }
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});

test('[P11.5] A7: the guardians of one account can request ten codes a day together, and five each', async () => {
  const { token } = await person(server);
  const statuses: number[][] = [];
  for (const name of ['Bob', 'Carol', 'Dan']) {
    const { uuid, session } = await activeGuardian(server, token, name);
    const ownCodes: number[] = [];
    for (let i = 0; i < 6; i++) {
      await server.call(`PATCH /guardian/${uuid}`, { headers: session, body: { phone_number: newNumber() } });
      const headers = { ...session, 'x-forwarded-for': fakeAddress() };
      ownCodes.push((await server.call(`POST /guardian/${uuid}/send-phone-code`, { headers })).status);
      server.clock.turn(minute);
    }
    statuses.push(ownCodes);
  }
  expect(statuses).toEqual([
    [200, 200, 200, 200, 200, 429],
    [200, 200, 200, 200, 200, 429],
    [429, 429, 429, 429, 429, 429],
  ]);
});

test('[P11.5] text messages go only to the countries that the operator chose; another number is refused with advice', async () => {
  const limitedServer = await testServer({ TEXT_COUNTRIES: 'us, CA' });
  try {
    const { token } = await newcomer(limitedServer);
    const refusedReply = await savePhone(limitedServer, token, '+8801712345678');
    expect(refusedReply).toMatchObject({
      status: 422,
      body: { code: 'phone_country', fields: [{ field: 'PhoneNumber', tag: 'country' }] },
    });
    expect(String(refusedReply.body.error)).toContain('Use a number from another country');
    expect((await savePhone(limitedServer, token, '+12025550143')).status).toBe(200);
    // Simulates a number that was entered while its country was still allowed.
    await limitedServer.db.updateTable('accounts').set({ phone_number: '+8801712345678' }).execute();
    expect(await requestCodeOn(limitedServer, token)).toMatchObject({ status: 422, body: { code: 'phone_country' } });
    expect(await textsSentBy(limitedServer)).toBe(0);
    await savePhone(limitedServer, token, '+16135550143');
    expect((await requestCodeOn(limitedServer, token)).status).toBe(200);
  } finally {
    await limitedServer.close();
  }
});

test('[P11.5] verification codes have a daily budget apart from alerts, and the operator gets an email at 80 % and at the end', async () => {
  const limitedServer = await testServer({ CODE_TEXTS_PER_DAY: '5', ALERT_TEXTS_PER_DAY: '3' });
  const operator = async () => (await limitedServer.mailsTo(brand.support.email)).map(({ subject }) => subject).toReversed();
  const requestCode = async () => {
    const { token } = await newcomer(limitedServer);
    await savePhone(limitedServer, token, newNumber());
    return requestCodeOn(limitedServer, token);
  };
  try {
    const { token } = await person(limitedServer);
    const number = await verifyNumber(limitedServer, token);
    const { agent } = await linkedDevice(limitedServer, token);
    for (let i = 0; i < 2; i++) expect((await requestCode()).status).toBe(200);
    expect(await operator()).toEqual([]);
    expect((await requestCode()).status).toBe(200);
    expect(await operator()).toEqual(['4 of 5 code texts and calls of today are used up']);
    expect((await requestCode()).status).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 6 }, requestCode));
    for (const answer of statuses) expect(answer).toMatchObject({ status: 503, body: { code: 'texts_spent' } });
    expect(Number(statuses[0]?.headers['retry-after'])).toBeGreaterThan(60);
    expect(await operator()).toEqual([
      '4 of 5 code texts and calls of today are used up',
      'All 5 code texts and calls of today are used up',
    ]);
    expect(limitedServer.logged()).toContain('the budget of texts for today is used up');

    const report = (identifier: string) =>
      limitedServer.call('POST /agent/detections', { token: agent, body: { detections: [detection(limitedServer, { identifier })] } });
    const alerts = async () => (await limitedServer.textsTo(number)).filter(({ body }) => !body.includes('your code'));
    for (let i = 0; i < 5; i++) await report(`threat-${i}`);
    expect(await alerts()).toHaveLength(3);
    expect((await operator()).slice(2)).toEqual(['All 3 alert texts and calls of today are used up']);
    server.clock.turn(day);
    limitedServer.clock.turn(day);
    await report('threat-of-tomorrow');
    expect(await alerts()).toHaveLength(4);
    expect((await requestCode()).status).toBe(200);
  } finally {
    await limitedServer.close();
  }
});

test('[P11.5] A7: a flood of detections costs sixty text messages a day; the last one says so, and emails continue', async () => {
  const { token, email } = await person(server);
  const number = await verifyNumber(server, token);
  const { agent } = await linkedDevice(server, token);
  const flood = Array.from({ length: 70 }, (_, n) => detection(server, { identifier: `threat-${n}` }));
  await server.call('POST /agent/detections', { token: agent, body: { detections: flood } });
  const texts = (await server.textsTo(number)).filter(({ body }) => !body.includes('your code'));
  expect(texts).toHaveLength(60);
  expect(texts.filter(({ body }) => body.includes('No more texts today'))).toHaveLength(1);
  expect((await server.mailsTo(email)).filter(({ subject }) => /blocked/i.test(subject))).toHaveLength(70);
  await server.call('GET /web/bypasspassword', { token });
  expect((await server.textsTo(number))[0]?.body).toContain('Admin PIN');
});
