import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { FromFilter } from './protocol.ts';
import { filterService } from './service.ts';
import { listenUdp } from './udp.ts';

/** A filter whose UDP port has, the first time, a number that another program uses for TCP. */
async function messageOfStart(port: (taken: number) => number): Promise<{ message: FromFilter; taken: number }> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  let isFirst = true;
  const first = Promise.withResolvers<FromFilter>();
  const service = filterService(first.resolve, {
    async listenUdp(...deps) {
      if (!isFirst) return listenUdp(...deps);
      isFirst = false;
      return { port: taken, close: () => {} };
    },
  });
  onTestFinished(service.close);
  service.take({ kind: 'start', own: { address: '127.0.0.1', port: port(taken) }, page: null, upstream: [] });
  return { message: await first.promise, taken };
}

test('a filter that may choose its port takes another one where TCP has the number in use', async () => {
  const { message, taken } = await messageOfStart(() => 0);
  expect(message).toMatchObject({ kind: 'listening', own: { address: '127.0.0.1' } });
  expect(message).not.toMatchObject({ own: { port: taken } });
});

test('a filter with a given port reports that it is in use', async () => {
  const { message } = await messageOfStart((taken) => taken);
  expect(message).toEqual({ kind: 'taken', why: 'EADDRINUSE' });
});
