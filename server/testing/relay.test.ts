// Tier: whole. It sends a backlog to mail servers that accept nothing.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Guardian } from '@porchlight/contract/guardians.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { twilioSender } from '../integrations/sms/twilio.ts';
import { enqueuer } from '../jobs/queue.ts';
import { ownWorker } from './own-worker.ts';
import { politeAnswer, rudeSmtp, type SmtpAnswer } from './rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

/** P11.3. While a mail server accepts nothing, one mail tries it every five seconds; load only increases the backlog. */

let server: TestServer;
let token: string;
let agent: string;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  server = await testServer();
  ({ token } = await person(server, 'Ann Example', 'ann@example.org'));
  for (const [name, email] of [
    ['Bob', 'bob@one.example'],
    ['Cleo', 'cleo@two.example'],
  ] as const)
    await activeGuardian(server, token, name, email);
  ({ agent } = await linkedDevice(server, token));
  await server.app.worker.close();
});
beforeEach(() => server.clock.turn(3_600_000));
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await server.db.deleteFrom('jobs').where('unique_key', 'like', '%:bad').execute();
});
afterAll(() => server.close());

async function report(identifier = `threat-${randomUUID()}`): Promise<string> {
  const reported = detection(server, { blocked: false, identifier });
  await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  return reported.uuid;
}
const deliveriesOf = async (uuid: string) =>
  (await server.call(`GET /web/detections/${uuid}`, { token })).body.notified as unknown as {
    name: string;
    state: string;
    reason: string | null;
  }[];
const states = async (uuid: string) => Object.fromEntries((await deliveriesOf(uuid)).map(({ name, state }) => [name, state]));
const troubles = async () => {
  const { guardians } = (await server.call('GET /web/guardians', { token })).body as unknown as { guardians: Guardian[] };
  return guardians.filter(({ trouble }) => trouble).map(({ name }) => name);
};
const allSent = { You: 'sent', Bob: 'sent', Cleo: 'sent' };

/** `mails`: accepted mails. */
async function relay(smtpAnswer: SmtpAnswer, greeting = () => '220 test', login = '') {
  let isRepaired = false;
  const mails: { to: string; text: string }[] = [];
  const open = new WeakMap<object, { to: string; text: string }>();
  const answer: SmtpAnswer = (line, connection) => {
    const output = isRepaired ? undefined : smtpAnswer(line, connection);
    if (output !== undefined) return output;
    if (line.startsWith('EHLO')) return '250-test\r\n250 AUTH PLAIN';
    if (line.startsWith('AUTH')) return '235 hello';
    if (line.startsWith('RCPT')) open.set(connection, { to: /<(.*?)>/.exec(line)?.[1] ?? '', text: '' });
    const mail = open.get(connection);
    if (mail) mail.text += `${line}\n`;
    if (line === '.' && mail) mails.push(mail);
    return politeAnswer(line);
  };
  const { url, close } = await rudeSmtp(answer, () => (isRepaired ? '220 test' : greeting()));
  const workerSetup = ownWorker(server, url.replace('//', `//${login}`));
  closers.push(workerSetup.close, close);
  return { ...workerSetup, mails, mend: () => (isRepaired = true) };
}

const refusing =
  (replyText: string, command = 'RCPT'): SmtpAnswer =>
  (line) =>
    line.startsWith(command) ? replyText : undefined;

test.each<[string, Parameters<typeof relay>]>([
  ['554 5.7.1 to every recipient', [refusing('554 5.7.1 Relay access denied')]],
  ['554 without a code to every recipient', [refusing('554 go away')]],
  ['550 without a code to every recipient', [refusing('550 no')]],
  ['550 5.7.1 to every mail', [refusing('550 5.7.1 not from you', '.')]],
  ['451 after every mail', [refusing('451 later', '.')]],
  ['452 4.3.1 to every mail', [refusing('452 4.3.1 disk full', 'MAIL')]],
  ['535 to our password', [refusing('535 5.7.8 wrong', 'AUTH'), undefined, 'user:pw@']],
  ['554 as its greeting', [() => undefined, () => '554 closed']],
  ['421 to everything', [refusing('421 4.3.2 shutting down', 'MAIL')]],
  ['nothing after the dot', [(line) => (line === '.' ? '' : undefined)]],
  ['nothing and cuts the line in the middle of a mail', [(line) => (line === 'DATA' ? null : undefined)]],
])(
  '[P11.3] with a mail server that says %s no mail is lost, no recipient is blamed, and waiting mail is sent once it is mended',
  async (_what, args) => {
    const { worker, mails, lines, mend } = await relay(...args);
    const firstDetection = await report();
    for (let i = 0; i < 30; i++) {
      await worker.idle();
      server.clock.turn(10_000);
    }
    const secondDetection = await report();
    await worker.idle();
    for (const uuid of [firstDetection, secondDetection])
      expect(Object.values(await states(uuid))).toEqual(['waiting', 'waiting', 'waiting']);
    expect((await deliveriesOf(firstDetection)).map(({ reason }) => reason)).toEqual(
      Array(3).fill(expect.stringContaining('did not get through yet')),
    );
    expect(await troubles()).toEqual([]);
    const carriersAway = await server.db.selectFrom('carriers_away').selectAll().execute();
    expect(carriersAway).toMatchObject([{ carrier: 'mail', reason: expect.stringMatching(/\S/) }]);
    expect(lines.filter((line) => line.includes('the mail server takes nothing'))).toHaveLength(1);
    mend();
    // All mails arrive within a minute.
    for (let i = 0; i < 12; i++) {
      server.clock.turn(5_000);
      await worker.idle();
    }
    expect([await states(firstDetection), await states(secondDetection)]).toEqual([allSent, allSent]);
    // A mail whose acceptance came too late for us is sent again, under the same Message-ID.
    expect(new Set(mails.map(({ to, text }) => `${to} ${/^Message-ID: .*/im.exec(text)?.[0]}`)).size).toBe(6);
    expect(await server.db.selectFrom('carriers_away').selectAll().execute()).toEqual([]);
  },
);

const about =
  (email: string, replyText: string): SmtpAnswer =>
  (line) =>
    line.startsWith('RCPT') && line.includes(email) ? replyText : undefined;

test('[P11.3] the reply 452 4.2.2, a full mailbox, is temporary: the mail is retried and delays no other mail', async () => {
  const { worker, mend } = await relay(about('bob@', '452 4.2.2 mailbox full'));
  const uuid = await report();
  await worker.idle();
  expect(await states(uuid)).toEqual({ ...allSent, Bob: 'waiting' });
  mend();
  server.clock.turn(5_000);
  await worker.idle();
  expect(await states(uuid)).toEqual(allSent);
});

test('[P11.3] when a mail server answers 550 5.1.1 for every recipient, mail that was given up before that was clear is retried', async () => {
  const { worker, mails, mend } = await relay(refusing('550 5.1.1 no'));
  const uuid = await report();
  await worker.idle();
  expect(Object.values(await states(uuid))).toEqual(['waiting', 'waiting', 'waiting']);
  mend();
  server.clock.turn(30_000);
  await worker.idle();
  expect(await states(uuid)).toEqual(allSent);
  expect(mails).toHaveLength(3);
});

test('[P11.3] a mail server that answers 550 5.1.1 for every recipient for an hour is tried less and less often with ordinary mail, and as often as before with an alert', async () => {
  const attemptsTo = new Map<string, number>();
  const { worker, mend, mails } = await relay((line) => {
    const recipient = line.startsWith('RCPT') ? /<(.*?)>/.exec(line)?.[1] : undefined;
    if (recipient === undefined) return undefined;
    attemptsTo.set(recipient, (attemptsTo.get(recipient) ?? 0) + 1);
    return '550 5.1.1 no';
  });
  const uuid = await report();
  const enqueue = enqueuer(server.clock);
  const mail = { to: 'dan@three.example', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  await enqueue(server.db, 'mail', `${randomUUID()}:bad`, mail, undefined, { urgency: 'ordinary' });
  for (let halfMinute = 0; halfMinute < 120; halfMinute++) {
    await worker.idle();
    server.clock.turn(30_000);
  }
  expect(attemptsTo.get('dan@three.example')).toBeLessThan(30);
  expect(attemptsTo.get('bob@one.example')).toBeGreaterThan(100);
  mend();
  for (let i = 0; i < 21; i++) {
    await worker.idle();
    server.clock.turn(30_000);
  }
  expect(mails.map(({ to }) => to)).toContain('dan@three.example');
  expect(await states(uuid)).toEqual(allSent);
});

test('[P11.3] mail that was given up is retried even while the database is slow to store the dead letter', async () => {
  await sql`create function slow_burial() returns trigger language plpgsql as $$
    begin if new.failed_at is not null then perform pg_sleep(0.3); end if; return new; end $$`.execute(server.db);
  await sql`create trigger slow_burial before update on jobs for each row execute function slow_burial()`.execute(server.db);
  closers.push(() => sql`drop function slow_burial() cascade`.execute(server.db));
  const { worker } = await relay(refusing('550 5.1.1 no'));
  const uuid = await report();
  await worker.idle();
  expect(Object.values(await states(uuid))).toEqual(['waiting', 'waiting', 'waiting']);
});

test('[P11.3] any number of made-up addresses delays neither alerts nor ordinary nor bulk mail', async () => {
  const { worker, mails } = await relay(about('nowhere', '550 5.1.1 no such user'));
  const enqueue = enqueuer(server.clock);
  const content = { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  const queue = (key: string, to: string, urgency: 'urgent' | 'ordinary' | 'bulk') =>
    enqueue(server.db, 'mail', `${randomUUID()}:${key}`, { to, ...content }, undefined, { urgency });
  for (let n = 0; n < 8; n++) await queue('bad', `p${n}@nowhere${n}.example`, 'urgent');
  await worker.idle();
  await queue('good', 'dan@three.example', 'ordinary');
  await queue('good', 'eve@four.example', 'bulk');
  const uuid = await report();
  await worker.idle();
  expect(await states(uuid)).toEqual(allSent);
  expect(mails.map(({ to }) => to)).toEqual(expect.arrayContaining(['dan@three.example', 'eve@four.example']));
  expect(await server.db.selectFrom('carriers_away').selectAll().execute()).toEqual([]);
  // Other mail is accepted, so unknown addresses are permanent failures by now.
  server.clock.turn(30_000);
  await worker.idle();
  const waiting = await server.db
    .selectFrom('jobs')
    .select('id')
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('kind', '=', 'mail')
    .execute();
  expect(waiting).toEqual([]);
});

test('[P11.3] unknown addresses queued before an alert do not delay it when the mail server returns', async () => {
  let isServerAway = true;
  const { worker, mend } = await relay((line) => {
    if (isServerAway && line.startsWith('MAIL')) return '421 4.3.2 shutting down';
    return line.startsWith('RCPT') && line.includes('nowhere') ? '550 5.1.1 no such user' : undefined;
  });
  const enqueue = enqueuer(server.clock);
  const content = { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  for (let n = 0; n < 12; n++) {
    const mail = { to: `q${n}@nowhere${n}.example`, ...content };
    await enqueue(server.db, 'mail', `${randomUUID()}:bad`, mail, undefined, { urgency: 'urgent' });
  }
  await worker.idle();
  server.clock.turn(1);
  const uuid = await report();
  await worker.idle();
  expect(Object.values(await states(uuid))).toEqual(['waiting', 'waiting', 'waiting']);
  isServerAway = false;
  server.clock.turn(5_000);
  await worker.idle();
  expect(await states(uuid)).toEqual(allSent);
  mend();
});

test('[P11.3] a mail server that was away for an hour gets every alert within a minute of its return, each once and with the time of the event', async () => {
  const { worker, mails, mend } = await relay(
    () => undefined,
    () => '554 closed',
  );
  const [firstDetection] = [await report()];
  for (let minute = 0; minute < 60; minute++) {
    await worker.idle();
    server.clock.turn(60_000);
    if (minute === 30) await report();
  }
  mend();
  for (let i = 0; i < 12; i++) {
    server.clock.turn(5_000);
    await worker.idle();
  }
  expect(await states(firstDetection ?? '')).toEqual(allSent);
  expect(mails.map(({ to }) => to).sort()).toEqual(['ann@example.org', 'bob@one.example', 'cleo@two.example'].flatMap((to) => [to, to]));
  const bobs = mails.filter(({ to }) => to === 'bob@one.example').map(({ text }) => text.replaceAll('=\n', '').replaceAll(/\s+/g, ' '));
  for (const text of bobs) {
    expect(text).toMatch(/This happened at \d+:\d\d [AP]M, (1 hour|\d+ minutes) ago\. We could not send it sooner\./);
    expect(text).not.toMatch(/right now/);
  }
});

test('[P11.3] after 550 5.1.1 for one recipient only, that mail becomes a dead letter with its content stored, and other recipients get their mail', async () => {
  const { worker, mails, lines } = await relay(about('bob@', '550 5.1.1 no such user bob@one.example'));
  const uuid = await report();
  await worker.idle();
  expect(await states(uuid)).toEqual({ ...allSent, Bob: 'failed' });
  expect((await deliveriesOf(uuid)).find(({ name }) => name === 'Bob')?.reason).toContain('This address does not exist');
  expect(await troubles()).toEqual(['Bob']);
  const [deadLetter] = await server.db
    .selectFrom('jobs')
    .selectAll()
    .where('failed_at', 'is not', null)
    .where('kind', '=', 'mail')
    .execute();
  expect(deadLetter).toMatchObject({ why: 'no_address', payload: { to: 'bob@one.example', subject: expect.any(String) } });
  const output = lines.join('\n');
  expect(output).toContain('"status":550,"code":"5.1.1","command":"RCPT TO"');
  expect(output).not.toMatch(/bob|one\.example|Ann|AnyDesk/i);
  expect(mails.map(({ to }) => to).sort()).toEqual(['ann@example.org', 'cleo@two.example']);
});

test('[P11.3] a telephone service that was away for an hour gets every SMS within a minute of its return, and no recipient is blamed', async () => {
  let isRepaired = false;
  const texts: string[] = [];
  const service = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (isRepaired) texts.push(new URLSearchParams(body).get('Body') ?? '');
      reply.writeHead(isRepaired ? 201 : 503, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const smsSender = twilioSender({ account_sid: 'AC1', auth_token: 'x', from: '+12025550100', api_base: `http://127.0.0.1:${port}` });
  const { url, close } = await rudeSmtp(politeAnswer);
  const { worker, close: closeWorker } = ownWorker(server, url, { smsSender });
  closers.push(closeWorker, close, smsSender.close, () => service.close());
  const enqueue = enqueuer(server.clock);
  const happened = { time: server.clock.now().toISOString(), time_zone: 'America/New_York' };
  const lateText = { before: 'Porchlight, for Ann: AnyDesk was NOT blocked on Den PC', after: '.', more: ['Call, ask if all is well.'] };
  for (let i = 0; i < 5; i++) {
    const text = { to: `+1202555014${i}`, body: 'Call now.', notification: true, happened: { ...happened, text: lateText } };
    await enqueue(server.db, 'sms', `alert:${happened.time}:${i}:sms`, text);
  }
  for (let minute = 0; minute < 60; minute++) {
    await worker.idle();
    server.clock.turn(60_000);
  }
  isRepaired = true;
  for (let i = 0; i < 12; i++) {
    server.clock.turn(5_000);
    await worker.idle();
  }
  expect(texts).toHaveLength(5);
  for (const text of texts) {
    expect(text).toMatch(
      /^Porchlight, for Ann: AnyDesk was NOT blocked on Den PC at \d+:\d\d [AP]M, 1 hour ago\. We could not send it sooner\. Call, ask if all is well\.$/,
    );
  }
});
