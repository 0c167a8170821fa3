import { afterAll, beforeAll, expect, test } from 'vitest';
import { detection, goodPassword, linkedDevice, person, type TestServer, testServer, until } from '../testing/world.ts';
import { fitsOneSms, gsmLength } from '../texts/sms-text.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let lastNumber = 100;
async function withPhone(name = 'Ann Example', device = 'Den PC', number = `+1202555${String(lastNumber++).padStart(4, '0')}`) {
  const { token, email } = await person(server, name);
  await server.call('PATCH /web/profile', { token, body: { phone_number: number, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
  if (code) await server.call('POST /web/verify-phonenumber', { token, body: { code } });
  const { agent } = await linkedDevice(server, token, device);
  const report = async (changes: Parameters<typeof detection>[1] = {}) => {
    const reported = detection(server, changes);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
    return reported;
  };
  const alerts = async () => (await server.textsTo(number)).map(({ body }) => body).filter((body) => !body.includes('your code'));
  const deliveriesOf = async (uuid: string) => (await server.call(`GET /web/detections/${uuid}`, { token })).body.notified;
  return { token, email, number, report, alerts, notified: deliveriesOf };
}

const profile = async (token: string) => (await server.call('GET /web/profile', { token })).body;
const optedOut = async (token: string) => (await profile(token)).phone_number_opted_out;

test('[P5.3] an alert is sent by SMS to a verified number: our name first, then what, blocked or not, which device, when, what to do', async () => {
  const { report, alerts } = await withPhone();
  const reported = await report({ certainty: 'certain' });
  const link = `http://localhost:4380/dashboard/detection/${reported.uuid}`;
  expect(await alerts()).toEqual([`Porchlight: AnyDesk was blocked on Den PC, 9:05am. Someone on the phone? Hang up. ${link}`]);
  await report({ blocked: false, identifier: 'other', name: 'TeamViewer' });
  expect((await alerts())[0]).toBe(
    'Porchlight: What looks like TeamViewer was NOT blocked on Den PC, 9:05am. If someone is on the phone, hang up. Then turn the computer off.',
  );
});

test('[P5.3] with names of any length and alphabet an SMS fits into one message with all facts, and the link is dropped first', async () => {
  const longNames = await withPhone('Zoë Example', 'Großmutters alter Rechner im Wohnzimmer – links neben der Heizung 🙂');
  server.clock.turn(48 * 3_600_000);
  await longNames.report({
    blocked: false,
    name: 'Ç“Remote” Helper with an uncommonly long name',
    time: new Date(server.clock.now().getTime() - 25 * 3_600_000).toISOString(),
  });
  const [text = ''] = await longNames.alerts();
  expect(fitsOneSms(text)).toBe(true);
  expect(text).toBe(
    'Porchlight: What looks like Ç"Remote" He.. was NOT blocked on Großmutters.. on Nov 22 at 8:05 AM, 25 hours ago. If someone is on the phone, hang up.',
  );
  const shortNames = await withPhone('Al', 'A');
  await shortNames.report({ name: 'B', certainty: 'certain' });
  const [fittingText = ''] = await shortNames.alerts();
  expect(gsmLength(fittingText)).toBeLessThanOrEqual(160);
  expect(fittingText).toMatch(
    /^Porchlight: B was blocked on A, 9:05am\. Someone on the phone\? Hang up\. http:\/\/localhost:4380\/dashboard\/detection\/[0-9a-f-]{36}$/,
  );
});

test('[P5.3] no SMS goes to an unverified number', async () => {
  const { token } = await person(server);
  await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550188', current_password: goodPassword } });
  const { agent } = await linkedDevice(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  expect(await server.textsTo('+12025550188')).toEqual([]);
});

test.each(['STOP', 'stop', '  Stop \n', 'STOPALL', 'Unsubscribe', 'cancel', 'END', 'quit.'])(
  '[P5.5] the SMS reply %j ends SMS to that number',
  async (word) => {
    const { token, number, report, alerts, notified } = await withPhone();
    expect(await server.textFrom(number, word)).toEqual({
      status: 200,
      body: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>',
    });
    expect(await optedOut(token)).toBe(true);
    const { uuid } = await report();
    expect(await alerts()).toEqual([]);
    expect(await notified(uuid)).toMatchObject([{ name: 'You', channel: 'mail', state: 'sent' }]);
  },
);

test('[P5.5] REVOKE, OPTOUT and STOP as people type it, in two words, in quotes, full width or beside an emoji, end SMS to that number', async () => {
  const { token, number } = await withPhone();
  const forms = [
    'REVOKE',
    'OPTOUT',
    'OPT OUT',
    'opt-out',
    'Stop all',
    'ＳＴＯＰ',
    '“STOP”',
    '‘stop’.',
    '«Stop»',
    'STOP 🛑',
    '✋🏽 stop!!',
    'Stop\u200b',
  ];
  const ended: string[] = [];
  for (const form of forms) {
    await server.textFrom(number, form);
    if (await optedOut(token)) ended.push(form);
    await server.textFrom(number, 'START');
  }
  expect(ended).toEqual(forms);
});

test.each(['START', ' unstop ', 'YES'])(
  '[2.117] [P5.5] after STOP the reply %j ends the opt-out, the notice on the dashboard disappears, and SMS are sent again',
  async (word) => {
    const { token, number, report, alerts } = await withPhone();
    await server.textFrom(number, 'STOP');
    expect(await profile(token)).toMatchObject({ phone_number_opted_out: true, phone_number_host: '+15005550006' });
    await server.textFrom(number, word);
    expect(await optedOut(token)).toBe(false);
    await report();
    expect(await alerts()).toHaveLength(1);
  },
);

test('[P5.5] the SMS HELP or INFO is answered with the support contact, as one SMS in TwiML; other SMS get no answer and change nothing', async () => {
  const { token, number } = await withPhone();
  const { body, status } = await server.textFrom(number, 'Help');
  expect(status).toBe(200);
  expect((await server.textFrom(number, 'INFO?')).body).toBe(body);
  const message = /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Message>(.+)<\/Message><\/Response>$/.exec(body)?.[1] ?? '';
  expect(message).toContain('support@porchlight.example, 1-800-555-0100');
  expect(fitsOneSms(message)).toBe(true);
  const others = [
    'please stop calling me',
    'please stop by later',
    'Stop by later, all of you',
    'yes please',
    'more info',
    'STOPPED',
    'ok',
    '',
    '🛑',
  ];
  for (const smsText of [...others, 'constructor', '__proto__']) {
    expect(await server.textFrom(number, smsText)).toEqual({
      status: 200,
      body: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>',
    });
  }
  expect(await optedOut(token)).toBe(false);
});

test("[P5.5] an incoming SMS without the carrier's signature does nothing", async () => {
  const { token, number } = await withPhone();
  const post = (headers: Record<string, string>, url = '/api/texts/inbound') =>
    server.app.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ From: number, Body: 'STOP' }).toString(),
    });
  for (const headers of [{}, { 'x-twilio-signature': '' }, { 'x-twilio-signature': 'qcLiOVVxWC8PZOkmAlt0Km+r9fw=' }]) {
    const answer = await post(headers as Record<string, string>);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'sender_unknown']);
  }
  expect((await post({}, '/api/texts/status?job=7c9e6679-7425-40de-944b-e07fc1f90ae7')).statusCode).toBe(403);
  expect(await optedOut(token)).toBe(false);
});

test('[P5.4] the carrier reports whether an accepted SMS was delivered, and the holder sees it', async () => {
  const deliverable = await withPhone();
  const reported = await deliverable.report();
  await server.textsTo(deliverable.number);
  await until('the carrier has said so', async () => (await carrierOf(reported.uuid)) === 'delivered');
  expect(await deliverable.notified(reported.uuid)).toMatchObject([
    { name: 'You', guardian: null, channel: 'mail', state: 'sent', reason: null, time: server.clock.now().toISOString() },
    { name: 'You', guardian: null, channel: 'sms', state: 'sent', reason: null },
  ]);
  const undeliverable = await withPhone('Ann Example', 'Den PC', '+15005550002');
  // Codes do not reach this number either, so the test marks it as verified.
  await server.db.updateTable('accounts').set({ phone_number_verified: true }).where('phone_number', '=', '+15005550002').execute();
  const lostDetection = await undeliverable.report();
  await server.textsTo(undeliverable.number);
  await until('the carrier has said so', async () => (await carrierOf(lostDetection.uuid)) === 'undelivered');
  expect(await undeliverable.notified(lostDetection.uuid)).toMatchObject([
    { channel: 'mail', state: 'sent' },
    { channel: 'sms', state: 'failed', reason: expect.stringContaining('did not reach the phone') },
  ]);
});

const carrierOf = async (about: string) =>
  (await server.db.selectFrom('deliveries').select('carrier').where('about', '=', about).where('channel', '=', 'sms').executeTakeFirst())
    ?.carrier;
