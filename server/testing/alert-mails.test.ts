import type { Guardian } from '@porchlight/contract/guardians.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Worker } from '../jobs/worker.ts';
import { ownWorker } from './own-worker.ts';
import { politeAnswer, rudeSmtp, type SmtpAnswer } from './rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

let server: TestServer;
let token: string;
let report: () => Promise<string>;
let bob: { uuid: string; email: string };
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
  ({ token } = await person(server));
  bob = await activeGuardian(server, token, 'Bob', 'bob@example.org');
  const { agent } = await linkedDevice(server, token);
  // From here on mail goes only to the faulty mail server.
  await server.app.worker.close();
  report = async () => {
    const reported = detection(server);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
    return reported.uuid;
  };
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await server.close();
});

const deliveriesOf = async (uuid: string) =>
  (await server.call(`GET /web/detections/${uuid}`, { token })).body.notified as unknown as { name: string }[];
const toBob = async (uuid: string) => (await deliveriesOf(uuid)).find(({ name }) => name === 'Bob');
const trouble = async (uuid = bob.uuid) => {
  const { guardians } = (await server.call('GET /web/guardians', { token })).body as unknown as { guardians: Guardian[] };
  return guardians.find((guardian) => guardian.uuid === uuid)?.trouble;
};

async function through(answer: SmtpAnswer, greeting?: () => string, login = ''): Promise<Worker> {
  const { url, close } = await rudeSmtp(answer, greeting);
  const workerSetup = ownWorker(server, url.replace('//', `//${login}`));
  closers.push(close, workerSetup.close);
  return workerSetup.worker;
}

/** Accepts everything except mail to Bob, or to `email`, until the server is repaired. */
function rudeToBob(smtpAnswer: (line: string, polite_answer: string | undefined) => string | null | undefined, email = 'bob@example.org') {
  let isRude = true;
  const bobsConnections = new WeakSet<object>();
  const ids: string[] = [];
  const answer: SmtpAnswer = (line, connection) => {
    if (line.startsWith('MAIL')) bobsConnections.delete(connection);
    if (line.startsWith('RCPT') && line.includes(email)) bobsConnections.add(connection);
    const to_bob = bobsConnections.has(connection);
    if (to_bob && line.startsWith('Message-ID')) ids.push(line);
    return isRude && to_bob ? smtpAnswer(line, politeAnswer(line)) : politeAnswer(line);
  };
  return {
    answer,
    ids,
    mend: () => {
      isRude = false;
    },
  };
}

const waiting = { state: 'waiting', reason: expect.stringContaining('did not get through yet') };

test.each([
  ['says 451 for now', (line: string, ok: string | undefined) => (line.startsWith('RCPT') ? '451 later' : ok)],
  ['says 452 after the mail was handed over', (line: string, ok: string | undefined) => (line === '.' ? '452 full' : ok)],
  ['hangs', (line: string, ok: string | undefined) => (line.startsWith('RCPT') ? undefined : ok)],
  ['hangs after the mail was handed over', (line: string, ok: string | undefined) => (line === '.' ? undefined : ok)],
  ['cuts the line', (line: string, ok: string | undefined) => (line === 'DATA' ? null : ok)],
  ['cuts the line before it says that it took it', (line: string, ok: string | undefined) => (line === '.' ? null : ok)],
])('[P5.4] a mail server that %s gets the same mail again 5 s later, under the same Message-ID', async (_title, smtpAnswer) => {
  const { answer, ids, mend } = rudeToBob(smtpAnswer);
  const w = await through(answer);
  const uuid = await report();
  await w.idle();
  expect(await deliveriesOf(uuid)).toMatchObject([
    { name: 'You', state: 'sent' },
    { name: 'Bob', guardian: bob.uuid, channel: 'mail', ...waiting },
  ]);
  mend();
  server.clock.turn(4_999);
  await w.idle();
  expect(await toBob(uuid)).toMatchObject(waiting);
  server.clock.turn(1);
  await w.idle();
  expect(await toBob(uuid)).toMatchObject({ state: 'sent', reason: null, time: server.clock.now().toISOString() });
  expect(new Set(ids).size).toBe(1);
  expect(await trouble()).toBeNull();
});

test.each([
  ['the address', (line: string, ok: string | undefined) => (line.startsWith('RCPT') ? '550 nobody' : ok)],
  ['the mail', (line: string, ok: string | undefined) => (line === '.' ? '554 no' : ok)],
])(
  '[P5.4] a mail server that refuses %s permanently, and accepts other mail, is tried twice; then the guardian counts as unreachable until a mail is accepted',
  async (_title, smtpAnswer) => {
    const { answer, mend } = rudeToBob(smtpAnswer);
    const w = await through(answer);
    const firstDetection = await report();
    await w.idle();
    expect(await toBob(firstDetection)).toMatchObject(waiting);
    server.clock.turn(5000);
    await w.idle();
    expect(await toBob(firstDetection)).toMatchObject({ state: 'failed', reason: expect.stringContaining('does not take our email') });
    expect(await trouble()).toEqual({
      channel: 'mail',
      why: 'refused',
      since: server.clock.now().toISOString(),
      reason: expect.stringContaining('does not take our email'),
    });
    mend();
    server.clock.turn(3_600_000);
    await w.idle();
    expect(await toBob(firstDetection)).toMatchObject({ state: 'failed' });
    const secondDetection = await report();
    // A mail that still waits changes nothing.
    expect(await trouble()).toMatchObject({ channel: 'mail' });
    await w.idle();
    expect(await toBob(secondDetection)).toMatchObject({ state: 'sent' });
    expect(await trouble()).toBeNull();
  },
);

/** The mail server refuses us, not the recipient. */
test.each<[string, Parameters<typeof through>]>([
  ['does not know our password', [(line) => (line.startsWith('AUTH') ? '535 wrong' : undefined), undefined, 'user:pw@']],
  ['lets nobody send without one', [(line) => (line.startsWith('MAIL') ? '530 who are you' : undefined)]],
  ['does not take our own address', [(line) => (line.startsWith('MAIL') ? '550 not you' : undefined)]],
  ['turns everyone away at the door', [() => undefined, () => '554 closed']],
  ['does not want to hear who we are', [(line) => (/^(EHLO|HELO)/.test(line) ? '550 go away' : undefined)]],
])(
  '[P5.4] a mail server that %s is tried again later, and no guardian is reported as unreachable',
  async (_title, [smtpAnswer, greeting, login]) => {
    let isRepaired = false;
    const welcome = (line: string) =>
      line.startsWith('EHLO') ? '250-test\r\n250 AUTH PLAIN' : line.startsWith('AUTH') ? '235 hello' : politeAnswer(line);
    const answer: SmtpAnswer = (line, connection) => (isRepaired ? undefined : smtpAnswer(line, connection)) ?? welcome(line);
    const w = await through(answer, () => (isRepaired ? '220 test' : (greeting?.() ?? '220 test')), login);
    const uuid = await report();
    await w.idle();
    expect(await toBob(uuid)).toMatchObject(waiting);
    expect(await trouble()).toBeNull();
    isRepaired = true;
    server.clock.turn(5000);
    await w.idle();
    expect(await deliveriesOf(uuid)).toMatchObject([
      { name: 'You', state: 'sent' },
      { name: 'Bob', state: 'sent' },
    ]);
  },
);

test('[P5.4] mail to a guardian that was not accepted for a day is a dead letter, and the holder sees that the guardian is unreachable', async () => {
  const { answer, ids } = rudeToBob((line, ok) => (line === '.' ? '451 later' : ok));
  const w = await through(answer);
  const uuid = await report();
  for (const seconds of [5, 30, 120, 600, 1800, 7200, 21_600, 57_600]) {
    await w.idle();
    expect(await toBob(uuid)).toMatchObject(waiting);
    expect(await trouble()).toBeNull();
    server.clock.turn(seconds * 1000);
  }
  await w.idle();
  expect(await toBob(uuid)).toMatchObject({ state: 'failed', reason: expect.stringContaining('for a whole day') });
  expect(await trouble()).toMatchObject({ channel: 'mail' });
  expect([ids.length, new Set(ids).size]).toEqual([9, 1]);
});

test('[P5.4] the holder sees that the mail server refused an invitation, until it is sent again and accepted', async () => {
  const invite = { name: 'Carol', email: 'carol@example.org' };
  const { answer, mend } = rudeToBob((line, ok) => (line.startsWith('RCPT') ? '550 5.1.1 nobody' : ok), invite.email);
  const w = await through(answer);
  const carol = String((await server.call('POST /web/create-guardian', { token, body: invite })).body.uuid);
  expect(await trouble(carol)).toBeNull();
  await w.idle();
  expect(await trouble(carol)).toMatchObject({ channel: 'mail', reason: expect.stringContaining('does not exist') });
  mend();
  server.clock.turn(60_000);
  await server.call(`POST /web/guardians/${carol}/resend`, { token });
  await w.idle();
  expect(await trouble(carol)).toBeNull();
});
