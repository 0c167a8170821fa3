import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TestServer, testServer, until } from '../testing/world.ts';
import { enqueuer } from './queue.ts';
import { Unsent } from './unsent.ts';
import { type Worker, worker } from './worker.ts';

let server: TestServer;
let ownWorker: Worker | undefined;
beforeEach(async () => {
  server = await testServer();
  // The server's own worker would claim these jobs.
  await server.app.worker.close();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await ownWorker?.close();
  await server.close();
});

const enqueue = (count: number, domain: string) => {
  const queue = enqueuer(server.clock);
  const mail = { to: `bob@${domain}`, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  return Promise.all(
    Array.from({ length: count }, (_, n) => queue(server.db, 'mail', `${domain}:${n}`, mail, undefined, { urgency: 'urgent' })),
  );
};

function start(send: (domain: string) => Promise<void>): Worker {
  ownWorker = worker({
    ...{ db: server.db, clock: server.clock, listener: { on: () => {}, close: async () => {} }, log: { error: () => {} } },
    handlers: { mail: ({ to }) => send(to.split('@')[1] ?? '') },
    urgent_at_once: 8,
  });
  return ownWorker;
}

/** Emails that hang until they are released; `running`: how many of each domain. */
function hanging() {
  const running = new Map<string, number>();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const send = async (domain: string) => {
    running.set(domain, (running.get(domain) ?? 0) + 1);
    await released;
  };
  return { running, release, send };
}

test('jobs that are claimed together do not exceed the limit of a domain, and leave the other places to other domains', async () => {
  await enqueue(10, 'one.example');
  await enqueue(10, 'two.example');
  const querySpy = vi.spyOn(pg.Client.prototype, 'query');
  const { running, release, send } = hanging();
  const w = start(send);
  await until('all places to be taken', async () => (running.get('one.example') ?? 0) + (running.get('two.example') ?? 0) === 8);
  // Nothing more is claimed although jobs wait.
  await server.db.selectFrom('jobs').select('id').execute();
  expect(Object.fromEntries(running)).toEqual({ 'one.example': 4, 'two.example': 4 });
  const texts = (querySpy.mock.calls as unknown as [string | { text: string }][]).map(([query]) =>
    typeof query === 'string' ? query : query.text,
  );
  const claims = texts.filter((text) => text.startsWith('update "jobs"') && text.includes('skip locked'));
  expect(claims.length).toBeLessThan(8);
  release();
  await w.idle();
  expect(Object.fromEntries(running)).toEqual({ 'one.example': 10, 'two.example': 10 });
});

test('two jobs at most send to a domain that did not answer clearly, also when they are claimed together', async () => {
  await enqueue(1, 'slow.example');
  const { running, release, send } = hanging();
  let isFirst = true;
  const w = start(async (domain) => {
    if (isFirst) {
      isFirst = false;
      throw new Unsent('unclear', `bob@${domain}`, 'no answer in time');
    }
    await send(domain);
  });
  await w.idle();
  await enqueue(6, 'slow.example');
  await enqueue(6, 'fast.example');
  const idle = w.idle();
  await until('the other places to be taken', async () => running.get('fast.example') === 4);
  expect(running.get('slow.example')).toBe(2);
  release();
  await idle;
});
