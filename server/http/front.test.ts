import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ErrorBody } from '@porchlight/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../testing/world.ts';
import { newAdmission } from './admission.ts';
import { kindOf } from './front.ts';
import { httpServer } from './http.ts';

/** Three calls of each kind are admitted, and wait until the test releases them. */

let http: FastifyInstance;
let url = '';
let reachedCount = 0;
let overloaded = false;
let release = () => {};
const lines: string[] = [];
beforeAll(async () => {
  http = await httpServer(pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), {
    trust_proxy: 0,
    traffic: { serve: (_ticket, work) => work() },
    admission: newAdmission({
      now: () => 0,
      random: () => 0,
      lag: () => 0,
      isOverloaded: () => overloaded,
      roomOf: () => ({ connections: 1, waiting: 2 }),
      waitedFor: () => 0,
    }),
    https: true,
    version: '1',
    name: 'x',
    origins: { script: ['https://chat.example'], frame: [], connect: [] },
  });
  http.addHook('onRequest', async () => {
    reachedCount += 1;
  });
  const blocker = new Promise<void>((resolve) => {
    release = resolve;
  });
  const block = async () => {
    await blocker;
    return {};
  };
  http.get('/api/web/devices', block);
  http.post('/api/web/devices', block);
  http.get('/api/guardian/file', async (_request, reply) => reply.send(Readable.from(slowly(blocker))));
  const open = ['/api/agent/policy', '/api/agent/detections', '/api/agent/enrol', '/api/guardian/x', '/healthz', '/readyz', '/page'];
  for (const path of open) http.get(path, async () => ({}));
  await http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  reachedCount = 0;
  overloaded = false;
  lines.length = 0;
});
afterAll(() => {
  release();
  // A reply that was not read to its end keeps its connection open.
  http.server.closeAllConnections();
  return http.close();
});

/** A reply whose end is sent late. */
async function* slowly(end: Promise<void>) {
  yield 'its beginning';
  await end;
}

const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
const ofOneAnswer = ['date', 'content-length', 'content-type', 'x-request-id', 'retry-after', 'keep-alive', 'connection'];

test('an answered call no longer counts towards the limit while its answer is sent, however slowly it is read', async () => {
  const files = await Promise.all(Array.from({ length: 3 }, () => fetch(`${url}/api/guardian/file`)));
  expect(files.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await statusOf('/api/guardian/x')).toBe(200);
  await Promise.all(files.map(async ({ body }) => body?.cancel()));
});

test('with three calls unanswered a fourth is refused at once, before the routes, while a detection is admitted', async () => {
  const pendingCalls = Array.from({ length: 3 }, () => statusOf('/api/web/devices'));
  await until('three calls have come in', () => reachedCount === 3);
  const refusedReply = await fetch(`${url}/api/web/devices?offset=0`);
  expect([refusedReply.status, refusedReply.headers.get('retry-after'), reachedCount]).toEqual([503, '2', 3]);
  const { error, code, request_id, ...rest } = (await refusedReply.json()) as ErrorBody;
  expect([error, code, rest]).toEqual(['We are busy right now. Please try again in a moment.', 'unavailable', {}]);
  expect(request_id).toMatch(/^[\da-f-]{36}$/);
  expect(refusedReply.headers.get('x-request-id')).toBe(request_id);
  const postReply = await fetch(`${url}/api/web/devices`, {
    method: 'POST',
    body: '{"name":"Den PC"}',
    headers: { 'content-type': 'application/json' },
  });
  expect([postReply.status, reachedCount]).toEqual([503, 3]);

  const acceptedReply = await fetch(`${url}/api/agent/detections`);
  expect(acceptedReply.status).toBe(200);
  const commonHeaders = [...acceptedReply.headers].filter(([name]) => !ofOneAnswer.includes(name));
  expect(commonHeaders.map(([name]) => name)).toEqual(
    expect.arrayContaining(['cache-control', 'content-security-policy', 'permissions-policy', 'strict-transport-security']),
  );
  expect([...refusedReply.headers].filter(([name]) => !ofOneAnswer.includes(name))).toEqual(commonHeaders);
  expect(refusedReply.headers.get('content-type')).toBe(acceptedReply.headers.get('content-type'));

  await until('the refusals are written down', () => lines.some((line) => line.includes('refused')));
  const entries = lines.map((line) => JSON.parse(line) as { msg: string; refused?: object });
  expect(entries.filter(({ msg }) => msg !== 'call')).toMatchObject([{ refused: { web: 2 } }]);
  release();
  expect(await Promise.all(pendingCalls)).toEqual([200, 200, 200]);
  expect(await statusOf('/api/web/devices')).toBe(200);
});

test('an overloaded server answers 503 with a retry time, and still accepts detections, enrolments and probes', async () => {
  overloaded = true;
  for (const path of ['/api/web/devices', '/api/agent/policy', '/api/guardian/x', '/page'])
    expect([path, await statusOf(path)]).toEqual([path, 503]);
  for (const path of ['/api/agent/detections', '/api/agent/enrol', '/healthz', '/readyz'])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  overloaded = false;
  for (const path of ['/api/web/devices', '/api/agent/policy', '/page']) expect([path, await statusOf(path)]).toEqual([path, 200]);
});

test.each([
  ['/api/agent/detections', 'urgent'],
  ['/api/agent/detections?again', 'urgent'],
  ['/api/agent/enrol', 'enrol'],
  ['/api/agent/whose', 'enrol'],
  ['/readyz', null],
  ['/healthz', null],
  ['/api/agent/detections/1', 'agent'],
  ['/api/agent/policy?x=/api/agent/enrol', 'agent'],
  ['/api/definitions/parts/1', 'agent'],
  ['/api/guardian/1', 'guardian'],
  ['/api/web/devices', 'web'],
  ['/api', 'page'],
  ['/dashboard/assets/main.js', 'page'],
  ['*', 'page'],
  ['', 'page'],
])('a call of the URL %s is of the kind %s', (address, kind) => {
  expect(kindOf(address)).toBe(kind);
});
