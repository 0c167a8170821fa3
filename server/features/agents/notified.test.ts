import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { DetectionDeliveries } from '@porchlight/contract/detection-deliveries.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noSms } from '../../integrations/sms/sms.ts';
import { checkInBody } from '../../testing/agent-info.ts';
import { ownWorker } from '../../testing/own-worker.ts';
import { politeAnswer, rudeSmtp, type SmtpAnswer } from '../../testing/rude-smtp.ts';
import {
  activeGuardian,
  detection,
  endIncidents,
  goodPassword,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

/** A device can find out who was notified of its detections. */

let server: TestServer;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
});
afterEach(async () => {
  for (const closeServer of closers.splice(0).reverse()) await closeServer();
  await server.close();
});

const peopleOf = (deliveries: DetectionDeliveries[]) => deliveries.map(({ people }) => people);

async function newHolder(device = 'Den PC') {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token, device);
  const report = async (overrides: Parameters<typeof detection>[1] = {}) => {
    const newDetection = detection(server, overrides);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [newDetection] } });
    return newDetection.uuid;
  };
  const asks = async (...asks: string[]) => {
    const { status, body } = await server.call('POST /agent/check-in', {
      token: agent,
      body: { ...checkInBody, asks },
    });
    return { status, notified: body.notified as unknown as DetectionDeliveries[] };
  };
  return { token, email, agent, report, notified: async (...uuids: string[]) => (await asks(...uuids)).notified, asks };
}

/** Sends emails to an SMTP server that gives `answerLine` for one address. */
async function mailTo(email: string, answerLine: string) {
  await server.app.worker.close();
  const matchingConnections = new WeakSet<object>();
  const answer: SmtpAnswer = (line, connection) => {
    if (line.startsWith('MAIL')) matchingConnections.delete(connection);
    if (line.startsWith('RCPT') && line.includes(email)) matchingConnections.add(connection);
    return line.startsWith('RCPT') && matchingConnections.has(connection) ? answerLine : politeAnswer(line);
  };
  const { url, close } = await rudeSmtp(answer);
  const { worker, close: endConnection } = ownWorker(server, url, { smsSender: { ...noSms, from: '+15005550006', send: async () => {} } });
  closers.push(close, endConnection);
  return worker;
}

test('[P5.4] a device gets the people notified of its detection: guardians by first name, the holder without a name', async () => {
  const ann = await newHolder();
  await activeGuardian(server, ann.token, 'Bob Example');
  const uuid = await ann.report();
  await server.mailsTo(ann.email);
  const people = [
    { name: null, state: 'sent' },
    { name: 'Bob', state: 'sent' },
  ];
  expect(await ann.notified(uuid)).toEqual([{ detection: uuid, people }]);
  const secondReport = await ann.report();
  expect(await ann.notified(secondReport)).toEqual([{ detection: secondReport, people }]);
  expect(await ann.notified()).toEqual([]);
});

test('[P8.2] only where another person uses the computer the holder is named as notified and as someone to call', async () => {
  const ann = await newHolder('Mum’s PC');
  const policy = async () => {
    const { body } = await server.call('GET /agent/policy', { token: ann.agent });
    return JSON.parse((body.policy as unknown as { payload: string }).payload) as { relatives: string[] };
  };
  expect((await policy()).relatives).toEqual([]);
  const devices = (await server.call('GET /web/devices', { token: ann.token })).body.devices as unknown as { uuid: string }[];
  const mum = { name: 'Mum', phone_number: '', is_holder: false };
  const change = { name: 'Mum’s PC', policy: 'strict', person: mum };
  expect((await server.call(`POST /web/devices/${devices[0]?.uuid}`, { token: ann.token, body: change })).status).toBe(200);
  const uuid = await ann.report();
  await server.mailsTo(ann.email);
  expect(peopleOf(await ann.notified(uuid))).toEqual([[{ name: 'Ann', state: 'sent' }]]);
  expect((await policy()).relatives).toEqual(['Ann']);
});

test('without guardians only the holder was notified, and with their emails off nobody', async () => {
  const ann = await newHolder();
  const firstReport = await ann.report();
  await server.mailsTo(ann.email);
  expect(peopleOf(await ann.notified(firstReport))).toEqual([[{ name: null, state: 'sent' }]]);
  const channels = { mail: false, sms: true };
  await endIncidents(server);
  expect((await server.call('PATCH /web/alert-settings', { token: ann.token, body: channels })).status).toBe(200);
  const secondReport = await ann.report({ identifier: 'teamviewer', name: 'TeamViewer' });
  await server.mailsTo(ann.email);
  expect(peopleOf(await ann.notified(secondReport))).toEqual([[]]);
  expect(peopleOf(await ann.notified(firstReport))).toEqual([[{ name: null, state: 'sent' }]]);
});

test('a person whose email is still queued is waiting, a person whose email failed is failed, and the others are sent', async () => {
  const ann = await newHolder();
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
  expect(peopleOf(await ann.notified(uuid))).toEqual(states('waiting'));
  server.clock.turn(5000);
  await worker.idle();
  expect(peopleOf(await ann.notified(uuid))).toEqual(states('failed'));
});

test('a person who got the text message counts as notified although their email failed', async () => {
  const ann = await newHolder();
  const number = '+12025550119';
  await server.call('PATCH /web/profile', { token: ann.token, body: { phone_number: number, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token: ann.token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
  await server.call('POST /web/verify-phonenumber', { token: ann.token, body: { code } });
  const worker = await mailTo(ann.email, '451 later');
  const uuid = await ann.report();
  await worker.idle();
  expect(peopleOf(await ann.notified(uuid))).toEqual([[{ name: null, state: 'sent' }]]);
});

test('for one day a device can ask who was notified of a detection', async () => {
  const ann = await newHolder();
  const oldDetection = await ann.report();
  server.clock.turn(agentLimits.delivery_age_max - minute);
  const newDetection = await ann.report();
  expect((await ann.notified(oldDetection, newDetection)).map(({ detection: one }) => one).sort()).toEqual(
    [oldDetection, newDetection].sort(),
  );
  server.clock.turn(minute);
  expect((await ann.notified(oldDetection, newDetection)).map(({ detection: one }) => one)).toEqual([newDetection]);
});

test("a device cannot ask about another device's detections, nor about more than the limit at once", async () => {
  const [ann, eve] = [await newHolder(), await newHolder('Other PC')];
  const [annsDetection, evesDetection] = [await ann.report(), await eve.report()];
  expect((await eve.notified(annsDetection, evesDetection, randomUUID())).map(({ detection: one }) => one)).toEqual([evesDetection]);
  const tooManyIds = Array.from({ length: agentLimits.delivery_requests_max + 1 }, () => annsDetection);
  expect((await ann.asks(...tooManyIds)).status).toBe(422);
  expect((await ann.asks(...tooManyIds.slice(1))).status).toBe(200);
});
