// Tier: whole. It waits for an event loop that lags.
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestServer, testServer, until } from '../testing/world.ts';
import { watchEventLoop } from './event-loop.ts';

describe('overload by a lagging event loop', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['one pause of three seconds', [5, 3_000, 4], false],
    ['a pause every other second', [3_000, 4, 3_000, 4, 3_000], false],
    ['not a number, and infinity', [Number.NaN, Number.POSITIVE_INFINITY, Number.NaN, Number.POSITIVE_INFINITY], false],
    ['late, but within the limit', [500, 500, 500, 500], false],
    ['late three times in a row', [501, 800, 501], true],
    ['late three times in a row, and then in time', [501, 800, 900, 20], false],
  ])('only a lag at several readings in a row counts as overload: %s', (_what, readings, overloaded) => {
    const remaining = [...readings];
    const watch = watchEventLoop({ limit: 500, read: () => remaining.shift() ?? Number.NaN });
    vi.advanceTimersByTime(readings.length * 1_000);
    expect(watch.isOverloaded()).toBe(overloaded);
    watch.close();
  });
});

describe('a server with a real event loop', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({ BUSY_AFTER_MS: '100' });
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  const work = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };
  const login = async () => {
    const { port } = server.app.http.server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`http://127.0.0.1:${port}/api/login/web`, { method: 'POST', body: '{}', headers })).status;
  };

  test('the server refuses no call after one pause, and refuses calls once its event loop has lagged for seconds', async () => {
    work(1_500);
    expect(await login()).toBe(422);
    await until('it turns calls away', async () => {
      // Blocks with one turn of the event loop between them: a call needs many turns.
      for (let i = 0; i < 8; i++) {
        work(250);
        await new Promise(setImmediate);
      }
      return (await login()) === 503;
    });
    await until('it answers again', async () => (await login()) === 422);
  });
});
