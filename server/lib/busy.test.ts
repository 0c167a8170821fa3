import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestServer, testServer, until } from '../testing/world.ts';
import { watchEventLoop } from './event-loop.ts';

/** A server whose event loop is late again and again refuses calls; one that paused once does not. */

describe('the readings of the event loop', () => {
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
  ])('%s', (_what, readings, overloaded) => {
    const left = [...readings];
    const watch = watchEventLoop({ limit: 500, read: () => left.shift() ?? Number.NaN });
    vi.advanceTimersByTime(readings.length * 1_000);
    expect(watch.isOverloaded()).toBe(overloaded);
    watch.close();
  });
});

describe('a server with its real event loop', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({ BUSY_AFTER_MS: '100' });
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  /** Nothing else is done meanwhile. */
  const work = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };
  const login = async () => {
    const { port } = server.app.http.server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`http://127.0.0.1:${port}/api/login/web`, { method: 'POST', body: '{}', headers })).status;
  };

  test('the server refuses nobody because of one pause, and refuses calls once it has fallen behind for seconds', async () => {
    work(1_500);
    expect(await login()).toBe(422);
    await until('it turns calls away', async () => {
      // One turn of the event loop between two blocks: a call takes many, which are in time.
      for (let i = 0; i < 8; i++) {
        work(250);
        await new Promise(setImmediate);
      }
      return (await login()) === 503;
    });
    await until('it answers again', async () => (await login()) === 422);
  });
});
