import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { fail } from '../lib/errors.ts';
import { requestId } from '../lib/request-context.ts';
import { newAdmission } from './admission.ts';
import type { CallObserver, DirectCall } from './direct-calls.ts';
import { httpServer } from './http.ts';

type Answered = Parameters<CallObserver['answered']>[0];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serverWith(handler: (call: DirectCall) => Promise<void>, trust_proxy = 0) {
  const lines: string[] = [];
  const answered: Answered[] = [];
  const tickets: string[] = [];
  const http = await httpServer(pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }), {
    trust_proxy,
    traffic: {
      serve(ticket, work) {
        tickets.push(ticket.kind);
        return work();
      },
    },
    admission: newAdmission({
      ...{ now: () => 0, random: () => 0, lag: () => 0, isOverloaded: () => false, waitedFor: () => 0 },
      roomOf: () => ({ connections: 1, waiting: 2 }),
    }),
    ...{ https: true, version: '1', name: 'x', origins: { script: [], frame: [], connect: [] } },
    observer: { answered: (call) => void answered.push(call), refused() {} },
  });
  http.directCalls.add('POST', '/api/agent/direct', handler);
  closers.push(() => http.close());
  await http.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const post = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { method: 'POST', headers });
  const get = (path: string) => fetch(url + path);
  return { http, post, get, lines, answered, tickets };
}

const ok = async ({ response }: DirectCall) => void response.end('{}');

test('a direct call is answered in the queue of its traffic, with its id, and counted once; a quiet answer is not logged', async () => {
  const ids: (string | null)[] = [];
  const { post, lines, answered, tickets } = await serverWith(async (call) => {
    ids.push(requestId(), call.id);
    await ok(call);
  });
  expect((await post('/api/agent/direct')).status).toBe(200);
  expect(ids[0]).toBe(ids[1]);
  expect(tickets).toEqual(['agent']);
  expect(answered).toMatchObject([{ method: 'POST', route: '/api/agent/direct', status: 200 }]);
  expect(lines.filter((line) => line.includes('/api/'))).toEqual([]);
});

test.each([
  ['a refusal', () => fail('unavailable', { retry_after: 7.2 }), 503, 'unavailable', '8'],
  ['an error', () => Promise.reject(new Error('of a part')), 500, 'internal', null],
])('a direct call with %s is answered as every other call, and logged', async (_what, handler, status, code, retry_after) => {
  const { post, lines, answered } = await serverWith(handler);
  const [direct, other] = [await post('/api/agent/direct'), await post('/api/nothing')];
  const body = (await direct.json()) as Record<string, unknown>;
  expect([direct.status, body.code, direct.headers.get('retry-after')]).toEqual([status, code, retry_after]);
  expect(Object.keys(body).toSorted()).toEqual(Object.keys((await other.json()) as object).toSorted());
  expect(body.request_id).toBe(direct.headers.get('x-request-id'));
  const namesOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name !== 'retry-after').toSorted();
  expect(namesOf(direct)).toEqual(namesOf(other));
  expect(answered.map((call) => [call.route, call.status])).toEqual([
    ['/api/agent/direct', status],
    ['none', 404],
  ]);
  expect(lines.filter((line) => line.includes('/api/agent/direct') && line.includes(`"status":${status}`))).toHaveLength(1);
});

test('only the exact path and method are direct, and only the paths that this server answers', async () => {
  const { http, post, get } = await serverWith(ok);
  const statuses = async () =>
    Promise.all(['/api/agent/direct', '/api/agent/%64irect', '/api/agent/direct/'].map(async (path) => (await post(path)).status));
  expect(await statuses()).toEqual([200, 404, 404]);
  expect((await get('/api/agent/direct')).status).toBe(404);
  http.directCalls.only(new Set(['/api/agent/other']));
  expect(await statuses()).toEqual([404, 404, 404]);
  http.directCalls.only(new Set(['/api/agent/direct']));
  expect(await statuses()).toEqual([200, 404, 404]);
});

test.each([
  [0, '127.0.0.1'],
  [1, '198.51.100.7'],
  [2, '203.0.113.9'],
  [5, '192.0.2.1'],
])('behind %i proxies the address of a direct call is read from their header', async (trust_proxy, expected) => {
  const addresses: string[] = [];
  const { post } = await serverWith(async (call) => {
    addresses.push(call.ip);
    await ok(call);
  }, trust_proxy);
  await post('/api/agent/direct', { 'x-forwarded-for': '192.0.2.1, 203.0.113.9, 198.51.100.7' });
  expect(addresses).toEqual([expected]);
});
