import type { Guardian } from '@porchlight/contract/guardians.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Worker } from '../jobs/worker.ts';
import { ownWorker } from './own-worker.ts';
import { polite, rudeSmtp, type SmtpAnswer } from './rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

/** An alert, and a mail server that is not what it should be: what became of it is seen where the holder sees it. */

let server: TestServer;
let token: string;
let report: () => Promise<string>;
let bob: { uuid: string; email: string };
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
  ({ token } = await person(server));
  bob = await activeGuardian(server, token, 'Bob', 'bob@example.org');
  const { agent } = await linkedDevice(server, token);
  // From here on mail goes by the rude server.
  await server.app.worker.close();
  report = async () => {
    const seen = detection(server);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
    return seen.uuid;
  };
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.close();
});

const told = async (uuid: string) =>
  (await server.call(`GET /web/detections/${uuid}`, { token })).body.told as unknown as { name: string }[];
const toBob = async (uuid: string) => (await told(uuid)).find(({ name }) => name === 'Bob');
const trouble = async (uuid = bob.uuid) => {
  const { guardians } = (await server.call('GET /web/guardians', { token })).body as unknown as { guardians: Guardian[] };
  return guardians.find((guardian) => guardian.uuid === uuid)?.trouble;
};

async function through(answer: SmtpAnswer, greeting?: () => string, login = ''): Promise<Worker> {
  const { url, close } = await rudeSmtp(answer, greeting);
  const own = ownWorker(server, url.replace('//', `//${login}`));
  closing.push(close, own.close);
  return own.worker;
}

/** Polite to everyone but Bob, or whoever else is named, as long as it is rude at all. */
function rudeToBob(how: (line: string, polite_answer: string | undefined) => string | null | undefined, email = 'bob@example.org') {
  let rude = true;
  const his = new WeakSet<object>();
  const ids: string[] = [];
  const answer: SmtpAnswer = (line, connection) => {
    if (line.startsWith('MAIL')) his.delete(connection);
    if (line.startsWith('RCPT') && line.includes(email)) his.add(connection);
    const to_bob = his.has(connection);
    if (to_bob && line.startsWith('Message-ID')) ids.push(line);
    return rude && to_bob ? how(line, polite(line)) : polite(line);
  };
  return {
    answer,
    ids,
    mend: () => {
      rude = false;
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
])('[P5.4] a mail server that %s gets the same mail again 5 s later, under the same Message-ID', async (_what, how) => {
  const { answer, ids, mend } = rudeToBob(how);
  const w = await through(answer);
  const uuid = await report();
  await w.idle();
  expect(await told(uuid)).toMatchObject([
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
  '[P5.4] a mail server that refuses %s for good, and takes other mail, is asked twice; the guardian cannot be reached until something arrives',
  async (_what, how) => {
    const { answer, mend } = rudeToBob(how);
    const w = await through(answer);
    const first = await report();
    await w.idle();
    expect(await toBob(first)).toMatchObject(waiting);
    server.clock.turn(5000);
    await w.idle();
    expect(await toBob(first)).toMatchObject({ state: 'failed', reason: expect.stringContaining('does not take our mail') });
    expect(await trouble()).toEqual({
      channel: 'mail',
      since: server.clock.now().toISOString(),
      reason: expect.stringContaining('does not take our mail'),
    });
    mend();
    server.clock.turn(3_600_000);
    await w.idle();
    expect(await toBob(first)).toMatchObject({ state: 'failed' });
    const second = await report();
    // What only waits changes nothing yet.
    expect(await trouble()).toMatchObject({ channel: 'mail' });
    await w.idle();
    expect(await toBob(second)).toMatchObject({ state: 'sent' });
    expect(await trouble()).toBeNull();
  },
);

/** The mail server has nothing against the person: it does not know us, or not any more. */
test.each<[string, Parameters<typeof through>]>([
  ['does not know our password', [(line) => (line.startsWith('AUTH') ? '535 wrong' : undefined), undefined, 'user:pw@']],
  ['lets nobody send without one', [(line) => (line.startsWith('MAIL') ? '530 who are you' : undefined)]],
  ['does not take our own address', [(line) => (line.startsWith('MAIL') ? '550 not you' : undefined)]],
  ['turns everyone away at the door', [() => undefined, () => '554 closed']],
  ['does not want to hear who we are', [(line) => (/^(EHLO|HELO)/.test(line) ? '550 go away' : undefined)]],
])('[P5.4] a mail server that %s is told again later, and nobody is called unreachable for it', async (_what, [rude, greeting, login]) => {
  let mended = false;
  const welcome = (line: string) =>
    line.startsWith('EHLO') ? '250-test\r\n250 AUTH PLAIN' : line.startsWith('AUTH') ? '235 hello' : polite(line);
  const answer: SmtpAnswer = (line, connection) => (mended ? undefined : rude(line, connection)) ?? welcome(line);
  const w = await through(answer, () => (mended ? '220 test' : (greeting?.() ?? '220 test')), login);
  const uuid = await report();
  await w.idle();
  expect(await toBob(uuid)).toMatchObject(waiting);
  expect(await trouble()).toBeNull();
  mended = true;
  server.clock.turn(5000);
  await w.idle();
  expect(await told(uuid)).toMatchObject([
    { name: 'You', state: 'sent' },
    { name: 'Bob', state: 'sent' },
  ]);
});

test('[P5.4] what did not get through for a day is a dead letter, and the holder sees that this guardian cannot be reached', async () => {
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

test('[P5.4] an invitation that comes back is trouble that the holder sees; sent again and taken, it is gone', async () => {
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
