// Tier: whole. It ends connections of the database again and again.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { pingDatabase } from '../../db/ping.ts';
import { operatorEmail, operatorWorld } from '../../testing/operator-world.ts';

/** A way to PostgreSQL that can be cut, or hang. */
async function databaseProxy() {
  const target = new URL(inject('postgres_url'));
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'hangs' = 'open';
  const proxy = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (state === 'cut') return void socket.destroy();
    if (state === 'hangs') return;
    const upstream = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
    sockets.add(upstream.on('error', () => socket.destroy()));
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = new URL(target);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    ping: () => pingDatabase(url.href),
    set(next: typeof state) {
      state = next;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}

test('a server that does not reach its database for 30 seconds notifies by email and webhook itself, once, and again when it does', async () => {
  const proxy = await databaseProxy();
  const { server, hook, pass, received } = await operatorWorld({ surroundings: { pingDatabase: proxy.ping } });
  await pass(1);
  expect(server.app.ownProblems()).toEqual([]);
  proxy.set('cut');
  hook.status = 500;
  await pass(0.5);
  expect(server.app.ownProblems()).toEqual([]);
  await pass(1);
  expect(server.app.ownProblems()).toEqual(['database']);
  // What could not be sent is tried again while it lasts, and what was sent is not.
  expect(hook.accepted).toEqual([]);
  expect(server.logged()).toContain('The operator could not be notified that the database is away');
  hook.status = 204;
  await pass(5);
  expect(await received()).toMatchObject({
    mails: ['Problem: A server cannot use its PostgreSQL: one gets no answer from it'],
    texts: [],
    events: ['database began'],
  });
  proxy.set('open');
  await pass(1.5);
  expect((await received()).events).toEqual(['database began']);
  await pass(5);
  expect(await received()).toMatchObject({
    mails: [expect.anything(), 'Solved: The server can use PostgreSQL again'],
    texts: [expect.stringContaining('The server can use PostgreSQL again')],
    events: ['database began', 'database ended'],
  });
  expect(server.app.ownProblems()).toEqual([]);
  expect((await server.mailsTo(operatorEmail)).length).toBe(2);
});

test('a database that accepts connections and does not answer is away too, and the check ends within seconds', async () => {
  const proxy = await databaseProxy();
  const { server, check } = await operatorWorld({ surroundings: { pingDatabase: proxy.ping } });
  await check();
  proxy.set('hangs');
  await check();
  server.clock.turn(30_000);
  await check();
  expect(server.app.ownProblems()).toEqual(['database']);
}, 30_000);

test('a database that answers and cannot store anything is a problem too, until it can', async () => {
  const readOnly = new URL(inject('postgres_url'));
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  let url = readOnly.href;
  const { server, check, received } = await operatorWorld({ surroundings: { pingDatabase: () => pingDatabase(url) } });
  const checkAfter = async (ms: number) => {
    server.clock.turn(ms);
    await check();
  };
  await check();
  await checkAfter(30_000);
  expect(server.app.ownProblems()).toEqual(['database']);
  url = inject('postgres_url');
  await checkAfter(30_000);
  await checkAfter(120_000);
  expect(server.app.ownProblems()).toEqual([]);
  expect((await received()).events).toEqual(['database began', 'database ended']);
});

test('a full disk of the database is named', async () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' });
  const { server, check, hook } = await operatorWorld({ surroundings: { pingDatabase: () => Promise.reject(full) } });
  await check();
  server.clock.turn(30_000);
  await check();
  expect(hook.accepted).toEqual([
    expect.objectContaining({ text: expect.stringContaining('one can store nothing, because its disk is full') }),
  ]);
});

test('a webhook that fails is called again after longer and longer waits, and never beside a call that is not over', async () => {
  const full = new Error('away');
  const { server, check, hook } = await operatorWorld({ surroundings: { pingDatabase: () => Promise.reject(full) } });
  hook.status = 500;
  const callsIn = async (minutes: number) => {
    const before = hook.calls.length;
    for (let n = 0; n < minutes * 2; n++) {
      server.clock.turn(30_000);
      await check();
    }
    return hook.calls.length - before;
  };
  await check();
  expect([await callsIn(1), await callsIn(3), await callsIn(10), await callsIn(60)]).toEqual([2, 1, 1, 1]);
});
