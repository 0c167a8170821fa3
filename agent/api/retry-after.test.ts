import { expect, it } from 'vitest';
import { agentForTest, ended, serverForTest } from '../testing/agent.ts';
import { proxyForTest } from '../testing/proxy.ts';
import { until } from '../testing/until.ts';
import { backOff } from './back-off.ts';
import { caller, isTransient, retryAfter } from './call.ts';

const busy = (seconds: string) => ({
  status: 503,
  type: 'application/json' as const,
  body: JSON.stringify({ error: 'We are busy right now.', code: 'unavailable', request_id: 'test' }),
  headers: { 'retry-after': seconds },
});

it.each([
  ['10', 10_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
  ['-5', undefined],
  ['99999999999999999999', undefined],
])('a refusal with the header Retry-After: %s makes the agent wait %s ms', async (retryAfterHeader, ms) => {
  const proxy = await proxyForTest(await serverForTest());
  proxy.override = () => busy(retryAfterHeader);
  const refusal: unknown = await caller(proxy.url)('GET /agent/server', {}).catch((err: unknown) => err);
  expect([isTransient(refusal), retryAfter(refusal)]).toEqual([true, ms]);
});

it('Retry-After is a minimum wait, and 6,000 agents with the same value do not return together', () => {
  const waits = Array.from({ length: 6_000 }, (_, n) => backOff(() => n / 6_000).failed(10_000));
  expect([Math.min(...waits), Math.round(Math.max(...waits) / 100)]).toEqual([10_000, 200]);
  const seconds = new Map<number, number>();
  for (const wait of waits) seconds.set(Math.floor(wait / 1000), (seconds.get(Math.floor(wait / 1000)) ?? 0) + 1);
  expect(Math.max(...seconds.values())).toBeLessThan(700);
});

it('Retry-After counts for at most a minute, and without it the wait is unchanged', () => {
  expect(backOff(() => 0).failed(3_600_000)).toBe(60_000);
  const wait = backOff(() => 1);
  expect([wait.failed(), wait.failed(), wait.failed()]).toEqual([500, 1_000, 2_000]);
});

it('the agent polls a busy server once and then waits, but still reports detections', async () => {
  const server = await serverForTest();
  const proxy = await proxyForTest(server);
  const test = await agentForTest(server, { server: proxy.url });
  await test.linked();
  let polls = 0;
  proxy.override = ({ key }) => {
    if (key !== 'POST /agent/changes') return null;
    polls += 1;
    return busy('60');
  };
  // Ends the pending long poll, so that the next poll is refused.
  server.setPolicy({});
  await until('the refusal', () => polls > 0);
  for (const n of [1, 2, 3, 4]) {
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === n);
  }
  expect(polls).toBe(1);
});
