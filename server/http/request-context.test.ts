import type { AddressInfo } from 'node:net';
import type { ErrorBody } from '@porchlight/contract/errors.ts';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { requestId, withRequest } from '../lib/request-context.ts';
import { httpServer } from './http.ts';

test.each([
  [1, /^0f0e0d0c0b0a49088706050403020108$/],
  [0, /^[\da-f-]{36}$/],
])('[P7.3] with %i proxies in front, a call that is refused before the routes has the id %s', async (trust_proxy, id) => {
  const http = await httpServer(pino({ level: 'silent' }), {
    trust_proxy,
    traffic: { serve: (_ticket, work) => work() },
    admission: { admit: () => 2, leave: () => {} },
    https: true,
    version: '1',
    name: 'x',
    origins: { script: [], frame: [], connect: [] },
  });
  onTestFinished(() => http.close());
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}/api/web/devices`, {
    headers: { 'x-request-id': '0f0e0d0c0b0a49088706050403020108' },
  });
  expect(reply.status).toBe(503);
  expect(reply.headers.get('x-request-id')).toMatch(id);
  expect(((await reply.json()) as ErrorBody).request_id).toBe(reply.headers.get('x-request-id'));
});

test('work without an id that is started inside the work of a call has none, and the call keeps its own', async () => {
  const ids = await withRequest('call.number-1', async () => {
    const inner = await withRequest(null, async () => requestId());
    return [inner, requestId()];
  });
  expect([...ids, requestId()]).toEqual([null, 'call.number-1', null]);
});
