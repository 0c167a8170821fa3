import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { ToldOf } from '@porchlight/contract/told.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noSms } from '../../integrations/sms/sms.ts';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { ownWorker } from '../../testing/own-worker.ts';
import { polite, rudeSmtp, type SmtpAnswer } from '../../testing/rude-smtp.ts';
import { activeGuardian, detection, goodPassword, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** What a computer learns of who was told of what it stopped. */

let server: TestServer;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.close();
});

const minute = 60_000;
const known = (found: ToldOf[]) => found.map(({ people }) => people);

async function home(device = 'Den PC') {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token, device);
  const report = async (more: Parameters<typeof detection>[1] = {}) => {
    const seen = detection(server, more);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
    return seen.uuid;
  };
  const asks = async (...asks: string[]) => {
    const { status, body } = await server.call('POST /agent/check-in', {
      token: agent,
      body: { info, protecting: true, problems: [], asks },
    });
    return { status, told: body.told as unknown as ToldOf[] };
  };
  return { token, email, agent, report, told: async (...uuids: string[]) => (await asks(...uuids)).told, asks };
}

/** Mail to this address is answered so, and all other mail is taken. */
async function mailTo(email: string, said: string) {
  await server.app.worker.close();
  const theirs = new WeakSet<object>();
  const answer: SmtpAnswer = (line, connection) => {
    if (line.startsWith('MAIL')) theirs.delete(connection);
    if (line.startsWith('RCPT') && line.includes(email)) theirs.add(connection);
    return line.startsWith('RCPT') && theirs.has(connection) ? said : polite(line);
  };
  const { url, close } = await rudeSmtp(answer);
  const { worker, close: end } = ownWorker(server, url, { smsSender: { ...noSms, from: '+15005550006', send: async () => {} } });
  closing.push(close, end);
  return worker;
}

test('[P5.4] a computer that asks learns who was told of what it stopped: guardians by their first names, the holder by none', async () => {
  const ann = await home();
  await activeGuardian(server, ann.token, 'Bob Example');
  const uuid = await ann.report();
  await server.mailsTo(ann.email);
  const people = [
    { name: null, state: 'sent' },
    { name: 'Bob', state: 'sent' },
  ];
  expect(await ann.told(uuid)).toEqual([{ detection: uuid, people }]);
  // What is counted into an alert was told with it.
  const again = await ann.report();
  expect(await ann.told(again)).toEqual([{ detection: again, people }]);
  expect(await ann.told()).toEqual([]);
});

test('[P8.2] on the computer of somebody else the holder is one of those who were told and can be called; on one’s own they are not', async () => {
  const ann = await home('Mum’s PC');
  const policy = async () => {
    const { body } = await server.call('GET /agent/policy?known=0&wait=0', { token: ann.agent });
    return JSON.parse((body.policy as unknown as { payload: string }).payload) as { family: string[] };
  };
  expect((await policy()).family).toEqual([]);
  const devices = (await server.call('GET /web/devices', { token: ann.token })).body.devices as unknown as { uuid: string }[];
  const mum = { name: 'Mum', phone_number: '', is_holder: false };
  const change = { name: 'Mum’s PC', policy: 'strict', person: mum };
  expect((await server.call(`POST /web/devices/${devices[0]?.uuid}`, { token: ann.token, body: change })).status).toBe(200);
  const uuid = await ann.report();
  await server.mailsTo(ann.email);
  expect(known(await ann.told(uuid))).toEqual([[{ name: 'Ann', state: 'sent' }]]);
  expect((await policy()).family).toEqual(['Ann']);
});

test('without a guardian only the holder was told, and with their emails off nobody was', async () => {
  const ann = await home();
  const first = await ann.report();
  await server.mailsTo(ann.email);
  expect(known(await ann.told(first))).toEqual([[{ name: null, state: 'sent' }]]);
  const off = { mail: false, sms: true };
  expect((await server.call('PATCH /web/alert-settings', { token: ann.token, body: off })).status).toBe(200);
  const second = await ann.report({ identifier: 'teamviewer', name: 'TeamViewer' });
  await server.mailsTo(ann.email);
  expect(known(await ann.told(second))).toEqual([[]]);
  expect(known(await ann.told(first))).toEqual([[{ name: null, state: 'sent' }]]);
});

test('somebody whose email is still on its way was not told yet, and one who cannot be reached was not; the others were', async () => {
  const ann = await home();
  await activeGuardian(server, ann.token, 'Bob', 'bob@example.org');
  await activeGuardian(server, ann.token, 'Carol', 'carol@example.org');
  const worker = await mailTo('bob@example.org', '550 nobody');
  const uuid = await ann.report();
  await worker.idle();
  const states = (bob: string) => [
    [
      { name: null, state: 'sent' },
      { name: 'Bob', state: bob },
      { name: 'Carol', state: 'sent' },
    ],
  ];
  expect(known(await ann.told(uuid))).toEqual(states('waiting'));
  server.clock.turn(5000);
  await worker.idle();
  expect(known(await ann.told(uuid))).toEqual(states('failed'));
});

test('whoever got the text was told, though the email does not reach them', async () => {
  const ann = await home();
  const number = '+12025550119';
  await server.call('PATCH /web/profile', { token: ann.token, body: { phone_number: number, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token: ann.token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
  await server.call('POST /web/verify-phonenumber', { token: ann.token, body: { code } });
  const worker = await mailTo(ann.email, '451 later');
  const uuid = await ann.report();
  await worker.idle();
  expect(known(await ann.told(uuid))).toEqual([[{ name: null, state: 'sent' }]]);
});

test('what is a day old is not looked up any more, and what is younger still is', async () => {
  const ann = await home();
  const old = await ann.report();
  server.clock.turn(agentLimits.told_age - minute);
  const young = await ann.report();
  expect((await ann.told(old, young)).map(({ detection: one }) => one).sort()).toEqual([old, young].sort());
  server.clock.turn(minute);
  expect((await ann.told(old, young)).map(({ detection: one }) => one)).toEqual([young]);
});

test('nobody learns of the detections of another computer, nor of many at once', async () => {
  const [ann, eve] = [await home(), await home('Other PC')];
  const [hers, theirs] = [await ann.report(), await eve.report()];
  expect((await eve.told(hers, theirs, randomUUID())).map(({ detection: one }) => one)).toEqual([theirs]);
  const many = Array.from({ length: agentLimits.told_asks + 1 }, () => hers);
  expect((await ann.asks(...many)).status).toBe(422);
  expect((await ann.asks(...many.slice(1))).status).toBe(200);
});
