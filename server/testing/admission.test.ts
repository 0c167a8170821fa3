// Tier: whole. It floods a server.
import { type AddressInfo, connect, type Socket } from 'node:net';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkInBody } from './agent-info.ts';
import { activeGuardian, detection, linkedDevice, person, type Reply, type TestServer, testServer, until } from './world.ts';

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

/** Locks a table while `during` runs, so that its readers wait. */
async function locked(table: string, during: () => Promise<void>): Promise<void> {
  await blocker.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    await during();
  } finally {
    await blocker.query('rollback');
  }
}

/** Calls above the limit: the first answer, and all answers. */
function flood(key: string, token: string): { first: Promise<Reply>; all: Promise<Reply[]> } {
  const calls = Array.from({ length: 200 }, () => server.call(key, { token }));
  return { first: Promise.race(calls), all: Promise.all(calls) };
}

test('a call above the limit is refused at once with 503 and a retry time, while a detection is stored and its alert email sent', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const { session, uuid } = await activeGuardian(server, token);
  let answers: Promise<Reply[]> = Promise.resolve([]);
  await locked('sessions', async () => {
    const { first, all } = flood('GET /web/devices', token);
    answers = all;
    // The locked table keeps every admitted call waiting.
    expect(await first).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { code: 'unavailable' } });
    const reportedDetection = detection(server);
    expect(await server.call('POST /agent/detections', { token: agent, body: { detections: [reportedDetection] } })).toMatchObject({
      status: 200,
      body: { stored: [reportedDetection.uuid] },
    });
    expect((await server.mailsTo(email))[0]?.subject).toContain('AnyDesk was blocked');
    expect((await server.call(`GET /guardian/${uuid}`, { headers: session })).status).toBe(200);
    expect((await server.app.http.inject('/readyz')).statusCode).toBe(200);
  });
  const statuses = (await answers).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(1);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await server.call('GET /web/devices', { token })).status).toBe(200);
});

test('a flood of agents is refused with a retry time, while the dashboard answers', async () => {
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

/** Over real HTTP with admission, which `server.call` bypasses. */
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

test("HTTP calls above the limit are refused before they are read, while a detection and an agent's call are answered", async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  let answers: Promise<number[]> = Promise.resolve([]);
  const countReadCalls = () => server.logged().split('"route":"/api/web/devices"').length;
  const before = countReadCalls();
  await locked('sessions', async () => {
    const calls = Array.from({ length: 200 }, () => byHttp('GET /web/devices', token));
    answers = Promise.all(calls);
    expect(await Promise.race(calls)).toBe(503);
    expect(await byHttp('POST /agent/detections', agent, { detections: [detection(server)] })).toBe(200);
    expect(await byHttp('POST /agent/check-in', agent, checkInBody)).toBe(200);
    await until('the refusals are counted', () => server.logged().includes('calls were refused'));
    expect(countReadCalls()).toBe(before);
  });
  const servedCount = (await answers).filter((status) => status === 200).length;
  // One call has a connection and fifty wait; on a slow machine the limit shrinks.
  expect(servedCount).toBeLessThanOrEqual(51);
  expect(servedCount).toBeGreaterThanOrEqual(16);
  // The bodies of refused calls were never read.
  expect(countReadCalls() - before).toBe(servedCount);
  expect(await byHttp('GET /web/devices', token)).toBe(200);
});

test('long polls take no connection and do not count towards the limit while they wait, however many they are', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const waitingPolls: Promise<number>[] = [];
  const poll = { known: 1000, known_epoch: 1, known_definitions: 1000, protecting: true, wait: serverLimits.poll_seconds };
  // The limit is fifty-one calls of agents.
  for (let n = 0; n < 60; n++) {
    waitingPolls.push(byHttp('POST /agent/changes', agent, poll));
    // In sequence, because this test is about waiting calls, not about parallel ones.
    expect(await byHttp('POST /agent/check-in', agent, checkInBody)).toBe(200);
  }
  await server.call(`DELETE /web/devices/${uuid}`, { token });
  // All wake at once, and their answers need no connection either.
  expect(new Set(await Promise.all(waitingPolls))).toEqual(new Set([200]));
});

/** The headers announce a body that never comes. */
function withoutBodies(path: string, connectionCount: number, addressOf: (n: number) => string): Socket[] {
  const { port } = server.app.http.server.address() as AddressInfo;
  const sockets = Array.from({ length: connectionCount }, (_, n) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const head = ['host: x', 'content-type: application/json', 'content-length: 100', `x-forwarded-for: ${addressOf(n)}`];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    return socket;
  });
  open.push(...sockets);
  return sockets;
}
const callWhose = (address: string) =>
  server.call('POST /agent/whose', { body: { code: 'ABCD-EFGH' }, headers: { 'x-forwarded-for': address } }).then(({ status }) => status);

test('enrolment calls that send no body fill only the queue of enrolment, and do not delay detections and probes', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const { port } = server.app.http.server.address() as AddressInfo;
  const probe = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  const sockets = withoutBodies('/api/agent/enrol', 120, (n) => `203.0.113.${n}`);
  await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  expect(await Promise.all([byHttp('POST /agent/detections', agent, { detections: [detection(server)] }), probe()])).toEqual([200, 200]);
});

test('calls that report detections without a token, and without sending their bodies, do not use up the limit', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const sockets = withoutBodies('/api/agent/detections', 120, () => '203.0.113.9');
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  expect(await byHttp('POST /agent/detections', agent, { detections: [detection(server)] })).toBe(200);
});

test('an address can make ten enrolment calls at a time, further calls are refused before their body, and another address is not affected', async () => {
  const answers: string[] = [];
  const sockets = withoutBodies('/api/agent/whose', 30, () => '203.0.113.7');
  for (const socket of sockets) socket.on('data', (chunk) => answers.push(String(chunk).slice(0, 12)));
  await until('the others are refused', () => answers.length >= 20);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 503']));
  expect([answers.length, await callWhose('203.0.113.7'), await callWhose('203.0.113.8')]).toEqual([20, 503, 404]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => callWhose('203.0.113.7')).toBe(404);
});
