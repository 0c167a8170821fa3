import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer, until } from '../testing/world.ts';

/** A server that has fallen behind says so at once, and is itself again as soon as it can. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ BUSY_AFTER_MS: '100' });
});
afterAll(() => server.close());

/** Nothing else is done meanwhile. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('one that has fallen behind turns calls away with 503 and says when to come back, and then answers again', async () => {
  await until('it turns calls away', async () => {
    work(400);
    const { status, body, headers } = await server.call('POST /login/web', { body: {} });
    if (status !== 503) return false;
    expect([body.error, body.code, headers['retry-after']]).toEqual([
      'We are busy right now. Please try again in a moment.',
      'unavailable',
      '5',
    ]);
    return true;
  });
  await until('it answers again', async () => (await server.call('POST /login/web', { body: {} })).status === 422);
});
