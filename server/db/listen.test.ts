import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { commonDatabase, withDatabase } from '../testing/global-setup.ts';
import { until } from '../testing/world.ts';
import { listen } from './listen.ts';
import { openDb } from './open.ts';

const url = withDatabase(inject('postgres_url'), commonDatabase);

/** A listener whose connections can be counted and ended by their name, and the payloads that it got. */
async function openListener() {
  const name = `listener-${randomUUID()}`;
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  const listener = await listen(named.href);
  const { db, close } = openDb(url, 1);
  onTestFinished(async () => {
    await listener.close();
    await close();
  });
  const payloads: string[] = [];
  listener.on('jobs', (payload) => payloads.push(payload));
  const pids = async () =>
    (await sql<{ pid: number }>`select pid from pg_stat_activity where application_name = ${name}`.execute(db)).rows.map(({ pid }) => pid);
  return {
    listener,
    payloads,
    pids,
    notify: (payload: string) => sql`select pg_notify('jobs', ${payload})`.execute(db),
    terminate: async () => {
      for (const pid of await pids()) await sql`select pg_terminate_backend(${pid})`.execute(db);
    },
  };
}

test('a listener whose connection PostgreSQL ended reconnects with one connection, says that it may have missed something, and gets notifications', async () => {
  const { payloads, pids, notify, terminate } = await openListener();
  await notify('before');
  await until('the first notification', () => payloads.includes('before'));
  const [lostPid] = await pids();
  await terminate();
  await until('the reconnect', () => payloads.includes(''));
  await notify('after');
  await until('a notification by the new connection', () => payloads.includes('after'));
  expect(payloads).toEqual(['before', '', 'after']);
  const newPids = await pids();
  expect(newPids).toHaveLength(1);
  expect(newPids).not.toContain(lostPid);
});

test('a listener that loses its connection ten times in a row still has one connection', async () => {
  const { payloads, pids, terminate } = await openListener();
  for (let reconnects = 1; reconnects <= 10; reconnects++) {
    await terminate();
    await until(`reconnect ${reconnects}`, () => payloads.length === reconnects);
  }
  expect(await pids()).toHaveLength(1);
});

test('a listener that is closed while it reconnects leaves no connection', async () => {
  const { listener, pids, terminate } = await openListener();
  await terminate();
  await listener.close();
  await until('no connection to be left', async () => (await pids()).length === 0);
});

/** PostgreSQL's refusal of `LISTEN` on a replica: an ErrorResponse, then ReadyForQuery. */
const refusal = (() => {
  const fields = ['SERROR', 'VERROR', 'C25006', 'Mcannot execute LISTEN during recovery'];
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]);
})();

/** Forwards connections to the test PostgreSQL. While silent, it accepts connections and never answers. It refuses `LISTEN`, as a replica does, when asked to. */
async function proxyToPostgres({ replica = false } = {}) {
  const target = new URL(url);
  const targetOptions = target.searchParams.has('host')
    ? { path: `${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}` }
    : { host: target.hostname, port: Number(target.port) };
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    if (silent) return void socket.resume();
    const upstream = createConnection(targetOptions);
    upstream.on('error', () => {});
    upstream.once('close', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
    upstream.pipe(socket);
    socket.on('data', (data) => (replica && data.includes('listen ') ? socket.write(refusal) : upstream.write(data)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const proxyUrl = new URL(url);
  proxyUrl.searchParams.delete('host');
  proxyUrl.hostname = '127.0.0.1';
  proxyUrl.port = String((server.address() as AddressInfo).port);
  return {
    url: proxyUrl.href,
    connections: () => sockets.size,
    endAll(thenSilent: boolean) {
      silent = thenSilent;
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a listener that is closed while PostgreSQL does not answer its new connection ends that connection at once', async () => {
  const proxy = await proxyToPostgres();
  const listener = await listen(proxy.url);
  proxy.endAll(true);
  await until('the lost connection to be gone', () => proxy.connections() === 0);
  await until('the new connection', () => proxy.connections() === 1);
  await listener.close();
  await until('no connection to be left', () => proxy.connections() === 0);
});

test('a listener whose first connection fails throws, so that the start fails with a reason', async () => {
  const proxy = await proxyToPostgres();
  const wrongDatabase = new URL(proxy.url);
  wrongDatabase.pathname = '/no_such_database';
  await expect(listen(wrongDatabase.href)).rejects.toThrow('no_such_database');
  await until('no connection to be left', () => proxy.connections() === 0);
});

test('a listener whose PostgreSQL became a replica throws its refusal, and leaves no connection', async () => {
  const proxy = await proxyToPostgres({ replica: true });
  await expect(listen(proxy.url)).rejects.toThrow('cannot execute LISTEN during recovery');
  await until('no connection to be left', () => proxy.connections() === 0);
});

test('the connections of other listeners stay when one is closed', async () => {
  const [closed, open] = [await openListener(), await openListener()];
  await closed.listener.close();
  await open.notify('still here');
  await until('the notification', () => open.payloads.includes('still here'));
  expect([(await closed.pids()).length, (await open.pids()).length]).toEqual([0, 1]);
  expect(closed.payloads).toEqual([]);
});
