import { type AddressInfo, connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { agentInfo } from './agent-info.ts';
import { activeGuardian, detection, linkedDevice, person, type Reply, type TestServer, testServer, until } from './world.ts';

/** What does not fit is refused at once, and what a family waits for has connections of its own. */

let server: TestServer;
let blocker: pg.Client;
beforeAll(async () => {
  server = await testServer({ DATABASE_CONNECTIONS: '2', DATABASE_CONNECTIONS_URGENT: '1', DATABASE_CONNECTIONS_JOBS: '2' });
  blocker = new pg.Client({ connectionString: server.database_url });
  await blocker.connect();
  await server.app.http.listen({ port: 0, host: '127.0.0.1' });
});
const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
afterAll(async () => {
  await blocker.end();
  await server.close();
});

/** Locks a table, so that whatever reads it waits, while `during` runs. */
async function locked(table: string, during: () => Promise<void>): Promise<void> {
  await blocker.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    await during();
  } finally {
    await blocker.query('rollback');
  }
}

/** More calls than there are connections and places to wait: the first one that is answered, and all of them. */
function flood(key: string, token: string): { first: Promise<Reply>; all: Promise<Reply[]> } {
  const calls = Array.from({ length: 200 }, () => server.call(key, { token }));
  return { first: Promise.race(calls), all: Promise.all(calls) };
}

test('the call that does not fit is refused at once with 503 and when to come back, and a detection still gets through with its mail', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const { session, uuid } = await activeGuardian(server, token);
  let answers: Promise<Reply[]> = Promise.resolve([]);
  await locked('sessions', async () => {
    const { first, all } = flood('GET /web/devices', token);
    answers = all;
    // None of those that were let in can be answered yet.
    expect(await first).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { code: 'unavailable' } });
    const reported = detection(server);
    expect(await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } })).toMatchObject({
      status: 200,
      body: { stored: [reported.uuid] },
    });
    expect((await server.mailsTo(email))[0]?.subject).toContain('AnyDesk was blocked');
    // The line of the dashboard is full, and that of the guardians is not.
    expect((await server.call(`GET /guardian/${uuid}`, { headers: session })).status).toBe(200);
    expect((await server.app.http.inject('/readyz')).statusCode).toBe(200);
  });
  const statuses = (await answers).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await server.call('GET /web/devices', { token })).status).toBe(200);
});

test('a flood of agents is refused with when to come back, and the dashboard answers meanwhile', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  let answers: Promise<Reply[]> = Promise.resolve([]);
  await locked('device_tokens', async () => {
    const { first, all } = flood('GET /agent/policy', agent);
    answers = all;
    expect(await first).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect((await server.call('GET /web/devices', { token })).status).toBe(200);
  });
  await answers;
});

/** By the real front door, which `server.call` does not go through. */
async function byHttp(key: string, token: string, body?: unknown): Promise<number> {
  const [method = 'GET', path = ''] = key.split(' ');
  const { port } = server.app.http.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('calls that come by HTTP and do not fit are refused before they are read, and a detection and an agent get through', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  let answers: Promise<number[]> = Promise.resolve([]);
  const read = () => server.logged().split('"route":"/api/web/devices"').length;
  const before = read();
  await locked('sessions', async () => {
    const calls = Array.from({ length: 200 }, () => byHttp('GET /web/devices', token));
    answers = Promise.all(calls);
    expect(await Promise.race(calls)).toBe(503);
    expect(await byHttp('POST /agent/detections', agent, { detections: [detection(server)] })).toBe(200);
    expect(await byHttp('POST /agent/check-in', agent, checkIn)).toBe(200);
    await until('the refusals are counted', () => server.logged().includes('calls were refused'));
    expect(read()).toBe(before);
  });
  const served = (await answers).filter((status) => status === 200).length;
  // One has a connection and fifty wait for it; where the machine itself is late the limit shrinks, down to sixteen beside the one.
  expect(served).toBeLessThanOrEqual(51);
  expect(served).toBeGreaterThanOrEqual(16);
  // Whoever was refused was refused before the call was read.
  expect(read() - before).toBe(served);
  expect(await byHttp('GET /web/devices', token)).toBe(200);
});

test('polls that are held take no connection and no place while they wait, however many they are', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const held: Promise<number>[] = [];
  // Fifty-one calls of agents are let in at a time.
  for (let n = 0; n < 60; n++) {
    held.push(byHttp('GET /agent/policy?known=1000&known_definitions=1000&wait=25', agent));
    // One after the other: this row is about waiting, not about coming together.
    expect(await byHttp('POST /agent/check-in', agent, checkIn)).toBe(200);
  }
  await server.call(`DELETE /web/devices/${uuid}`, { token });
  const statuses = await Promise.all(held);
  // All are woken at once, and at most fifty-one fit in front of the database.
  expect(new Set(statuses)).toEqual(new Set([410, 503]));
  const served = statuses.filter((status) => status === 410).length;
  expect(served).toBeLessThanOrEqual(51);
  expect(served).toBeGreaterThanOrEqual(16);
});

/** Calls that say that a body comes, and send none: from one address, or each from an address of its own. */
function withoutBodies(path: string, many: number, addressOf: (n: number) => string): Socket[] {
  const { port } = server.app.http.server.address() as AddressInfo;
  const sockets = Array.from({ length: many }, (_, n) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const head = ['host: x', 'content-type: application/json', 'content-length: 100', `x-forwarded-for: ${addressOf(n)}`];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    return socket;
  });
  open.push(...sockets);
  return sockets;
}
const whose = (address: string) =>
  server.call('POST /agent/whose', { body: { code: 'ABCD-EFGH' }, headers: { 'x-forwarded-for': address } }).then(({ status }) => status);

test('strangers who send no body fill no line but that of enrolling, and detections and probes notice nothing', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const { port } = server.app.http.server.address() as AddressInfo;
  const probe = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  const sockets = withoutBodies('/api/agent/enrol', 120, (n) => `203.0.113.${n}`);
  // The line is full.
  await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  expect(await Promise.all([byHttp('POST /agent/detections', agent, { detections: [detection(server)] }), probe()])).toEqual([200, 200]);
});

test('a stranger who reports detections without a token holds no place, however many wait with their bodies', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const sockets = withoutBodies('/api/agent/detections', 120, () => '203.0.113.9');
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  expect(await byHttp('POST /agent/detections', agent, { detections: [detection(server)] })).toBe(200);
});

test('one address has ten calls about enrolling under way at a time, refused before the body, and the address beside it is answered', async () => {
  const answers: string[] = [];
  const sockets = withoutBodies('/api/agent/whose', 30, () => '203.0.113.7');
  for (const socket of sockets) socket.on('data', (said) => answers.push(String(said).slice(0, 12)));
  await until('the others are refused', () => answers.length >= 20);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 503']));
  expect([answers.length, await whose('203.0.113.7'), await whose('203.0.113.8')]).toEqual([20, 503, 404]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => whose('203.0.113.7')).toBe(404);
});

const checkIn = { info: agentInfo, protecting: true, problems: [] };
