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

/** What does not fit is answered in front of everything else: three calls of each kind are let in, and stay until they are let go. */

let http: FastifyInstance;
let url = '';
let reached = 0;
let overloaded = false;
let letGo = () => {};
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
    reached += 1;
  });
  const blocked = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const block = async () => {
    await blocked;
    return {};
  };
  http.get('/api/web/devices', block);
  http.post('/api/web/devices', block);
  http.get('/api/guardian/file', async (_request, reply) => reply.send(Readable.from(slowly(blocked))));
  const open = ['/api/agent/policy', '/api/agent/detections', '/api/agent/enrol', '/api/guardian/x', '/healthz', '/readyz', '/page'];
  for (const path of open) http.get(path, async () => ({}));
  await http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  reached = 0;
  overloaded = false;
  lines.length = 0;
});
afterAll(() => {
  letGo();
  // A file that was not read to its end keeps its connection.
  http.server.closeAllConnections();
  return http.close();
});

/** A file whose end is read late. */
async function* slowly(end: Promise<void>) {
  yield 'its beginning';
  await end;
}

const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
/** Of one answer alone, or of the connection. */
const ofOneAnswer = ['date', 'content-length', 'content-type', 'x-request-id', 'retry-after', 'keep-alive', 'connection'];

test('a call that is answered takes no place while its answer is sent, however slowly it is read', async () => {
  const files = await Promise.all(Array.from({ length: 3 }, () => fetch(`${url}/api/guardian/file`)));
  expect(files.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await statusOf('/api/guardian/x')).toBe(200);
  await Promise.all(files.map(async ({ body }) => body?.cancel()));
});

test('while three calls are not answered, a fourth is refused at once without reaching the server behind, and a detection passes', async () => {
  const under_way = Array.from({ length: 3 }, () => statusOf('/api/web/devices'));
  await until('three calls have come in', () => reached === 3);
  const refused = await fetch(`${url}/api/web/devices?offset=0`);
  expect([refused.status, refused.headers.get('retry-after'), reached]).toEqual([503, '2', 3]);
  const { error, code, request_id, ...rest } = (await refused.json()) as ErrorBody;
  expect([error, code, rest]).toEqual(['We are busy right now. Please try again in a moment.', 'unavailable', {}]);
  expect(request_id).toMatch(/^[\da-f-]{36}$/);
  expect(refused.headers.get('x-request-id')).toBe(request_id);
  const posted = await fetch(`${url}/api/web/devices`, {
    method: 'POST',
    body: '{"name":"Den PC"}',
    headers: { 'content-type': 'application/json' },
  });
  expect([posted.status, reached]).toEqual([503, 3]);

  const accepted = await fetch(`${url}/api/agent/detections`);
  expect(accepted.status).toBe(200);
  const kept = [...accepted.headers].filter(([name]) => !ofOneAnswer.includes(name));
  expect(kept.map(([name]) => name)).toEqual(
    expect.arrayContaining(['cache-control', 'content-security-policy', 'permissions-policy', 'strict-transport-security']),
  );
  expect([...refused.headers].filter(([name]) => !ofOneAnswer.includes(name))).toEqual(kept);
  expect(refused.headers.get('content-type')).toBe(accepted.headers.get('content-type'));

  await until('the refusals are written down', () => lines.some((line) => line.includes('refused')));
  const said = lines.map((line) => JSON.parse(line) as { msg: string; refused?: object });
  expect(said.filter(({ msg }) => msg !== 'call')).toMatchObject([{ refused: { web: 2 } }]);
  letGo();
  expect(await Promise.all(under_way)).toEqual([200, 200, 200]);
  expect(await statusOf('/api/web/devices')).toBe(200);
});

test('an overloaded server answers 503 with when to come back, and still takes detections, enrolments and probes', async () => {
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
])('a call of %s is of the kind %s', (address, kind) => {
  expect(kindOf(address)).toBe(kind);
});
