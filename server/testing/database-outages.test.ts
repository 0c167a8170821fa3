// Tier: whole. It ends connections of the database again and again.
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { linkedDevice, person, type TestServer, testServer } from './world.ts';

/** While the database cannot serve, calls get 503 with a text, and afterwards the server recovers. */

let server: TestServer;
let token = '';
let device = '';
beforeAll(async () => {
  server = await testServer();
  token = (await person(server)).token;
  device = (await linkedDevice(server, token)).uuid;
});
afterAll(() => server.close());

const rename = () => server.call(`POST /web/devices/${device}`, { token, body: { name: 'Den PC', policy: 'strict' } });
const run = async (statement: string) => {
  const client = new pg.Client({ connectionString: server.database_url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** A trigger that fails writes to devices with this SQLSTATE. */
const failingTrigger = (state: string) => `
  create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'as in real life' using errcode = '${state}'; end $$;
  create or replace trigger refuse before update on devices for each row execute function refuse()`;

test.each([
  ['53100', 'disk_full'],
  ['53200', 'out_of_memory'],
  ['53300', 'too_many_connections'],
  ['57P03', 'cannot_connect_now'],
  ['58030', 'io_error'],
  ['08006', 'connection_failure'],
])("the database's %s (%s) is answered with 503 and a text, and later calls are served", async (state) => {
  await run(failingTrigger(state));
  const { status, body, headers } = await rename();
  await run('drop trigger refuse on devices');
  expect([status, body.code, headers['retry-after'], body.error]).toEqual([
    503,
    'unavailable',
    '5',
    'We are busy right now. Please try again in a moment.',
  ]);
  expect((await rename()).status).toBe(200);
});

test('a programming error is answered with 500', async () => {
  await run(failingTrigger('22012'));
  const { status, body } = await rename();
  await run('drop trigger refuse on devices');
  expect([status, body.code]).toEqual([500, 'internal']);
});

test('calls on connections that the database closed get 503 at most, and the next call is served', async () => {
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
  const statuses = [await rename(), await rename(), await rename(), await rename()].map(({ status }) => status);
  expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
  expect((await rename()).status).toBe(200);
});

test('A11: however many callers there are, /readyz makes one write a second', async () => {
  const writes = vi.spyOn(server.db, 'transaction');
  const readyStatus = async () => (await server.app.http.inject('/readyz')).statusCode;
  server.clock.turn(1_000);
  expect(new Set(await Promise.all(Array.from({ length: 1_000 }, readyStatus)))).toEqual(new Set([200]));
  // The first write is done: its result is reused.
  expect(await readyStatus()).toBe(200);
  expect(writes).toHaveBeenCalledTimes(1);
  server.clock.turn(1_000);
  expect(await readyStatus()).toBe(200);
  expect(writes).toHaveBeenCalledTimes(2);
  writes.mockRestore();
});
