import type { StoredCalls } from '@porchlight/simulators/twilio/calls.ts';
import type { OptedOut } from '@porchlight/simulators/twilio/phones.ts';
import { openTwilioSimulator, type TwilioSimulator } from '@porchlight/simulators/twilio/twilio.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedDocument } from '../lib/shared-document.ts';
import { storedItems } from '../lib/stored-items.ts';
import { fitsOneSms } from '../texts/sms-text.ts';
import { registersByCalls } from './calls-of-people.ts';
import { goodPassword, type TestServer, testServer } from './world.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await testServer();
  ({ token } = await registersByCalls(server, 'Ann Example', 'ann@example.org'));
});
afterAll(() => server.close());

async function askForCode(phone_number: string): Promise<void> {
  server.clock.turn(61_000);
  await server.call('PATCH /web/profile', { token, body: { phone_number, current_password: goodPassword } });
  expect(await server.call('POST /web/send-phone-code', { token })).toMatchObject({ status: 200 });
  await server.app.worker.idle();
}
const profile = async () => (await server.call('GET /web/profile', { token })).body;

test('[P2.5] a verification code is sent as one SMS that begins with our name, and appears in the mailbox simulator', async () => {
  await askForCode('+1 (202) 555-0143');
  const [text, ...more] = await server.textsTo('+12025550143');
  expect(more).toEqual([]);
  expect(text?.body).toMatch(/^Porchlight: .*\b\d{6}\b/);
  expect(fitsOneSms(text?.body ?? '')).toBe(true);
  expect(Date.now() - Date.parse(text?.received ?? '')).toBeLessThan(60_000);

  const open = (url: string) => server.app.http.inject({ url, headers: { cookie: `simulators_key=${server.simulator_key}` } });
  const { mails, texts } = (await open('/dev/mailbox.json')).json<{ mails: object[]; texts: object[] }>();
  expect(texts).toEqual([text]);
  expect(mails).toMatchObject([{ to: ['ann@example.org'], received: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/) }]);
  const page = (await open('/dev/mailbox')).body;
  expect(page).toContain(`<blockquote>${text?.body}</blockquote>`);
  expect(page).toContain('to +12025550143');
  expect(page).toContain('Please confirm your email address');
});

test('[3.1] the number to send START to is the sender of the SMS', async () => {
  expect((await profile()).phone_number_host).toBe('+15005550006');
});

test('[3.1] a number that has opted out is marked, until an SMS is accepted again', async () => {
  await askForCode('+15005550004');
  expect((await profile()).phone_number_opted_out).toBe(true);
  expect(await server.textsTo('+15005550004')).toEqual([]);

  await server.db.insertInto('phone_opt_outs').values({ phone_number: '+12025550199', since: server.clock.now() }).execute();
  await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550199', current_password: goodPassword } });
  expect((await profile()).phone_number_opted_out).toBe(true);
  await askForCode('+12025550199');
  expect(await server.textsTo('+12025550199')).toHaveLength(1);
  expect((await profile()).phone_number_opted_out).toBe(false);
});

test('an SMS that the carrier refuses permanently is tried once, and its number does not count as opted out', async () => {
  await askForCode('+15005550009');
  const jobs = await server.db.selectFrom('jobs').selectAll().where('kind', '=', 'sms').where('failed_at', 'is not', null).execute();
  expect(jobs.map((job) => [job.attempts, job.last_error])).toEqual([
    [1, 'the number takes no texts from us (21610)'],
    [1, 'the text was refused for good (400, 21614)'],
  ]);
  expect((await profile()).phone_number_opted_out).toBe(false);
});

const form = { To: '+12025550143', From: '+15005550006', Body: 'Hello' };
async function post(
  twilioSimulator: TwilioSimulator,
  fields: Record<string, string>,
  token = twilioSimulator.account.auth_token,
  path = 'Messages.json',
) {
  const { api_base, account_sid } = twilioSimulator.account;
  const answer = await fetch(`${api_base}/2010-04-01/Accounts/${account_sid}/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${account_sid}:${token}`)}` },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, body: (await answer.json()) as { code?: number; sid?: string; status?: string } };
}

const noTarget = { public_url: 'http://localhost:4380', post: async () => ({ status: 200, body: '' }) };

test('the Twilio simulator answers as Twilio does, and still has its SMS after a restart', async () => {
  const storage = {
    items: storedItems(server.db, 'other texts'),
    opted_out: await sharedDocument<OptedOut>(server.db, 'others_opted_out', () => ({ numbers: [] })),
    calls: await sharedDocument<StoredCalls>(server.db, 'other calls', () => ({ calls: [] })),
  };
  const firstSimulator = await openTwilioSimulator(storage, noTarget);
  const acceptedReply = await post(firstSimulator, form);
  expect(acceptedReply).toMatchObject({ status: 201, body: { status: 'queued', sid: expect.stringMatching(/^SM[0-9a-f]{32}$/) } });
  for (const [fields, code] of [
    [{ ...form, To: '' }, 21604],
    [{ ...form, From: '' }, 21603],
    [{ ...form, Body: '' }, 21602],
    [{ ...form, Body: 'a'.repeat(1601) }, 21617],
    [{ ...form, To: '2025550143' }, 21211],
    [{ ...form, To: '+15005550003' }, 21408],
  ] as const) {
    expect(await post(firstSimulator, fields)).toMatchObject({ status: 400, body: { code, status: 400 } });
  }
  expect(await post(firstSimulator, form, 'wrong')).toMatchObject({ status: 401, body: { code: 20003 } });
  expect(await post(firstSimulator, form, undefined, 'Faxes.json')).toMatchObject({ status: 404, body: { code: 20404 } });
  const callForm = {
    To: '+12025550143',
    From: firstSimulator.account.from,
    Url: 'http://localhost:4380/api/calls/words?call=1',
    Timeout: '25',
  };
  for (const [fields, code] of [
    [{ ...callForm, To: '' }, 21201],
    [{ ...callForm, From: '' }, 21213],
    [{ ...callForm, Url: '' }, 21205],
    [{ ...callForm, Url: 'words' }, 21205],
    [{ ...callForm, To: '2025550143' }, 21211],
    [{ ...callForm, To: '+15005550001' }, 21217],
    [{ ...callForm, To: '+15005550002' }, 21214],
    [{ ...callForm, To: '+15005550003' }, 21215],
    [{ ...callForm, To: '+15005550004' }, 21216],
  ] as const) {
    expect(await post(firstSimulator, fields, undefined, 'Calls.json')).toMatchObject({ status: 400, body: { code, status: 400 } });
  }
  const call = await post(firstSimulator, callForm, undefined, 'Calls.json');
  expect(call).toMatchObject({ status: 201, body: { status: 'queued', sid: expect.stringMatching(/^CA[0-9a-f]{32}$/) } });
  await firstSimulator.write('+12025550144', ' stop ');
  await firstSimulator.close();

  const secondSimulator = await openTwilioSimulator(storage, noTarget);
  expect(await post(secondSimulator, { ...form, To: '+12025550144' })).toMatchObject({ status: 400, body: { code: 21610 } });
  expect(await secondSimulator.list()).toMatchObject([{ to: '+12025550143', body: 'Hello' }]);
  expect(secondSimulator.account.auth_token).not.toBe(firstSimulator.account.auth_token);
  // A phone that rings goes on ringing while the process starts again.
  expect(await secondSimulator.calls.list()).toMatchObject([{ to: '+12025550143', state: 'ringing', rings: 25_000 }]);
  await secondSimulator.close();
});

test("a reply from the simulator's page counts as that phone's, and after STOP the simulator refuses SMS to it as Twilio does", async () => {
  // Codes have a daily limit per account, and the tests above have used it up.
  server.clock.turn(25 * 3_600_000);
  await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550177', current_password: goodPassword } });
  await askForCode('+12025550177');
  const [text] = await server.textsTo('+12025550177');
  const press = (body: string, headers: Record<string, string> = {}) =>
    server.app.http.inject({
      method: 'POST',
      url: `/dev/mailbox/text/${text?.id}`,
      headers: { cookie: `simulators_key=${server.simulator_key}`, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: `body=${body}`,
    });
  expect((await press('STOP', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(404);
  expect((await profile()).phone_number_opted_out).toBe(false);
  const { statusCode, headers } = await press('STOP');
  expect([statusCode, headers.location]).toEqual([303, `/dev/mailbox?id=${text?.id}&answer=STOP%3A+nothing`]);
  expect((await profile()).phone_number_opted_out).toBe(true);
  server.clock.turn(61_000);
  await askForCode('+12025550177');
  expect(await server.textsTo('+12025550177')).toHaveLength(1);
  await press('START');
  expect((await profile()).phone_number_opted_out).toBe(false);
  expect(decodeURIComponent(String((await press('HELP')).headers.location))).toContain('support@porchlight.example');
});
