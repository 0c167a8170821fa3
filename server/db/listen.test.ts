import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { admin, commonDatabase, withDatabase } from '../testing/global-setup.ts';
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

/** Passes connections on to PostgreSQL until it is told to accept and never to answer. */
async function silencedPostgres() {
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (!silent) socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`,
    be: (isSilent: boolean) => {
      silent = isSilent;
    },
    connections: () => sockets.size,
  };
}

test('a listener whose first connection fails throws, so that the start fails with a reason', async () => {
  const postgres = await silencedPostgres();
  await expect(listen(postgres.url)).rejects.toThrow();
  expect(postgres.connections()).toBe(1);
});

test('the connections of other listeners stay when one is closed', async () => {
  const [closed, open] = [await openListener(), await openListener()];
  await closed.listener.close();
  await open.notify('still here');
  await until('the notification', () => open.payloads.includes('still here'));
  expect([(await closed.pids()).length, (await open.pids()).length]).toEqual([0, 1]);
  expect(closed.payloads).toEqual([]);
  await admin(url, 'select 1');
});
