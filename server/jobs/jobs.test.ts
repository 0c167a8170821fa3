import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { smtpMailer } from '../integrations/mail/smtp.ts';
import { politeAnswer, rudeSmtp } from '../testing/rude-smtp.ts';
import { type TestServer, testServer, until } from '../testing/world.ts';
import type { Settled } from './dead-letters.ts';
import { enqueuer } from './queue.ts';
import { PermanentJobError, worker } from './worker.ts';

let server: TestServer;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
  // The server's own worker would claim these jobs.
  await server.app.worker.close();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await server.close();
});

const silentLog = { on: () => {}, close: async () => {} };
const workerDeps = () => ({ db: server.db, clock: server.clock, listener: silentLog, log: { error: () => {} } });
const mail = { to: 'ann@example.org', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const enqueue = (key: string) => enqueuer(server.clock)(server.db, 'mail', key, mail);
const job = (key: string) => server.db.selectFrom('jobs').selectAll().where('unique_key', '=', key).executeTakeFirstOrThrow();

function start(send: (id: string) => Promise<void>) {
  const w = worker({ ...workerDeps(), handlers: { mail: (_mail, id) => send(id) } });
  closers.push(w.close);
  return w;
}

test('a job runs once, and its payload is deleted afterwards', async () => {
  await enqueue('a');
  await enqueue('a');
  const ran: string[] = [];
  const w = start(async (id) => void ran.push(id));
  await w.idle();
  await w.idle();
  expect(ran).toHaveLength(1);
  expect(await job('a')).toMatchObject({ attempts: 1, payload: {}, last_error: null });
});

test('each attempt is observed once with its result, and an observer that throws changes nothing', async () => {
  await enqueue('a');
  const observed: string[] = [];
  let attempts = 0;
  const w = worker({
    ...workerDeps(),
    handlers: {
      async mail() {
        if (attempts++ === 0) throw new Error('not yet');
      },
    },
    observe({ kind, lane, unique_key, state }) {
      observed.push([kind, lane, unique_key, state].join(' '));
      throw new Error('out of order');
    },
  });
  closers.push(w.close);
  await w.idle();
  server.clock.turn(5_000);
  await w.idle();
  expect(observed).toEqual(['mail mail_ordinary a again', 'mail mail_ordinary a done']);
  expect(attempts).toBe(2);
  expect((await job('a')).done_at).toEqual(server.clock.now());
});

test('two workers in parallel run each of 40 jobs once', async () => {
  for (let i = 0; i < 40; i++) await enqueue(`k${i}`);
  const ran: string[] = [];
  const [a, b] = [start(async (id) => void ran.push(id)), start(async (id) => void ran.push(id))];
  await Promise.all([a.idle(), b.idle()]);
  expect(ran).toHaveLength(40);
  expect(new Set(ran).size).toBe(40);
});

test('a failed job is retried after 5 s, 30 s, 2 min …, with the same id, and is a dead letter after the ninth attempt', async () => {
  await enqueue('a');
  const ran: string[] = [];
  const w = start(async (id) => {
    ran.push(id);
    throw new Error('down');
  });
  for (const [attempt, seconds] of [5, 30, 120, 600, 1800, 7200, 21_600, 57_600].entries()) {
    await w.idle();
    expect(ran).toHaveLength(attempt + 1);
    server.clock.turn(seconds * 1000 - 1);
    await w.idle();
    expect(ran).toHaveLength(attempt + 1);
    server.clock.turn(1);
  }
  await w.idle();
  expect(ran).toHaveLength(9);
  expect(new Set(ran).size).toBe(1);
  expect(await job('a')).toMatchObject({ last_error: 'down', failed_at: server.clock.now(), payload: {} });
  server.clock.turn(30 * 24 * 3_600_000);
  await w.idle();
  expect(ran).toHaveLength(9);
});

test('a lane whose jobs hang does not delay another lane', async () => {
  const enqueueText = (key: string) => enqueuer(server.clock)(server.db, 'sms', key, { to: '+12025550143', body: 'Hello' });
  let hanging = 0;
  let release = () => {};
  const blocker = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (let i = 0; i < 20; i++) await enqueue(`k${i}`);
  await enqueueText('t');
  const texts: string[] = [];
  const w = worker({
    ...workerDeps(),
    handlers: {
      mail: async () => {
        hanging++;
        await blocker;
      },
      sms: async (text) => void texts.push(text.to),
    },
  });
  closers.push(w.close);
  // All mails go to one domain, for which two jobs may run at a time.
  await until('the mail lane has no place for that domain', () => hanging === 2);
  await until('the text is out', () => texts.length === 1);
  // A worker does not claim its own running jobs again, however long they run.
  server.clock.turn(60_000);
  await enqueueText('u');
  release();
  await w.idle();
  expect([hanging, texts.length]).toEqual([20, 2]);
});

test('a job with a permanent error is not retried', async () => {
  await enqueue('a');
  let ran = 0;
  const w = start(async () => {
    ran++;
    throw new PermanentJobError('no such mailbox');
  });
  await w.idle();
  server.clock.turn(24 * 3_600_000);
  await w.idle();
  expect(ran).toBe(1);
  expect((await job('a')).failed_at).not.toBeNull();
});

test('a job of a kind that a server does not know stays queued, and a server that knows the kind runs it', async () => {
  await enqueue('a');
  const lines: string[] = [];
  const oldWorker = worker({ ...workerDeps(), log: { error: (o) => void lines.push(JSON.stringify(o)) }, handlers: {} });
  closers.push(oldWorker.close);
  for (let i = 0; i < 20; i++) {
    await oldWorker.idle();
    server.clock.turn(60_000);
  }
  expect(await job('a')).toMatchObject({ failed_at: null, attempts: 0, payload: mail });
  expect(lines[0]).toContain('"dead":false');
  const ran: string[] = [];
  await start(async (id) => void ran.push(id)).idle();
  expect(ran).toHaveLength(1);
});

test('an email that the mail server accepted is not sent again when the database fails while the result is stored', async () => {
  await enqueue('a');
  await enqueue('b');
  const ran: string[] = [];
  let failuresLeft = 2;
  const settled: Settled = (dbOrTrx) => {
    if (failuresLeft-- > 0) throw new Error('the database stumbles');
    return dbOrTrx;
  };
  const w = worker({ ...workerDeps(), settled, handlers: { mail: async (_mail, id) => void ran.push(id) } });
  closers.push(w.close);
  for (let i = 0; i < 3; i++) {
    await w.idle();
    server.clock.turn(3_600_000);
  }
  expect(ran).toHaveLength(2);
  expect([await job('a'), await job('b')]).toMatchObject([
    { done_at: expect.any(Date), attempts: 1 },
    { done_at: expect.any(Date), attempts: 1 },
  ]);
});

test('a job whose worker died is claimed again when its lease ends, and not before', async () => {
  await enqueue('a');
  let hasBegun = false;
  const dyingWorker = worker({ ...workerDeps(), handlers: { mail: () => new Promise(() => void (hasBegun = true)) } });
  void dyingWorker;
  await until('the first worker has begun', () => hasBegun);
  const ran: string[] = [];
  const w = start(async (id) => void ran.push(id));
  await w.idle();
  expect(ran).toHaveLength(0);
  server.clock.turn(29_999);
  await w.idle();
  expect(ran).toHaveLength(0);
  server.clock.turn(2);
  await w.idle();
  expect(ran).toHaveLength(1);
});

async function smtp(answer: Parameters<typeof rudeSmtp>[0]): Promise<string> {
  const { url, close } = await rudeSmtp(answer);
  closers.push(close);
  return url;
}

async function resultOf(url: string) {
  const mailer = smtpMailer(url, 'Porchlight <no-reply@example.org>');
  closers.push(mailer.close);
  const message_id = `${randomUUID()}@example.org`;
  return mailer.send({ message_id, ...mail }).then(
    () => 'taken',
    (err: Error) => `${err.constructor.name}: ${err.message}`,
  );
}

test.each([
  ['takes it', politeAnswer, 'taken'],
  [
    'says 451 for now',
    (line: string) => (line.startsWith('RCPT') ? '451 later' : politeAnswer(line)),
    'MailFailed: the mail server did not take it (451 at RCPT TO)',
  ],
  [
    'says 550 for good',
    (line: string) => (line.startsWith('RCPT') ? '550 nobody' : politeAnswer(line)),
    'MailFailed: the mail server did not take it (550 at RCPT TO)',
  ],
  [
    'cuts the line',
    (line: string) => (line === 'DATA' ? null : politeAnswer(line)),
    'MailFailed: the mail server did not take it (no answer',
  ],
])('a job gets the right result when its email goes to a mail server that %s', async (_what, answer, outcome) => {
  expect(await resultOf(await smtp(answer))).toContain(outcome);
});

test('an email to an unreachable mail server is retried', async () => {
  expect(await resultOf('smtp://127.0.0.1:1')).toMatch(/^MailFailed: the mail server did not take it/);
});
