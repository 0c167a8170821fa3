import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { agentForTest, ended, linked, serverForTest } from '../testing/agent.ts';
import { proxyForTest } from '../testing/proxy.ts';
import { until } from '../testing/until.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('[P14.5] an agent waits for a change for four minutes, and a change arrives at once', async () => {
  const { server, test } = await linked();
  expect(server.waits.at(-1)).toBe(serverLimits.poll_seconds);
  const checkIns = server.checkIns.length;
  server.setPolicy({ device_name: 'Attic PC' });
  await until('the policy', async () => (await test.store.policy())?.device_name === 'Attic PC');
  await until('the next poll', () => server.policy_in_force === server.policy.version);
  expect(server.checkIns).toHaveLength(checkIns);
});

it('[P14.5] an agent that has reported a detection begins a new poll, since the server now answers sooner', async () => {
  const { server, test } = await linked();
  const polls = () => server.calls.filter((call) => call === 'POST /agent/changes').length;
  const before = polls();
  await ended(test, test.os.start({ name: 'anydesk' }));
  await until('the report', () => server.sent.length === 1);
  await until('another poll', () => polls() > before);
  expect(test.logLines.join()).not.toContain('cannot be reached');
});

it('[P14.5] a connection without a byte for 40 seconds is given up, the next poll waits for nothing, and those after it for 25 seconds', async () => {
  const server = await serverForTest();
  const proxy = await proxyForTest(server);
  const test = await agentForTest(server, { server: proxy.url });
  await test.linked();
  expect(server.waits.at(-1)).toBe(serverLimits.poll_seconds);
  proxy.override = ({ key }) => (key === 'POST /agent/changes' ? 'never' : null);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const withTime = (name: string, condition: () => boolean) =>
    until(name, () => {
      vi.advanceTimersByTime(1_000);
      return condition();
    });
  server.setPolicy({});
  await withTime('the agent to give up', () => test.logLines.join().includes('cannot be reached'));
  proxy.override = () => null;
  const before = server.waits.length;
  await withTime('two polls', () => server.waits.length >= before + 2);
  expect(server.waits.slice(before, before + 2)).toEqual([0, serverLimits.agent_wait_seconds]);
  expect(test.logLines.join()).toContain('can be reached again');
});

it('[P14.5] while the servers that wait with agents are away, an agent fetches changes from the others and checks in there once a minute', async () => {
  const server = await serverForTest();
  const proxy = await proxyForTest(server);
  const test = await agentForTest(server, { server: proxy.url });
  await test.linked();
  const busy = {
    status: 503,
    type: 'application/json' as const,
    body: JSON.stringify({ error: 'x', code: 'unavailable', request_id: 'x' }),
  };
  proxy.override = ({ key }) => (key === 'POST /agent/changes' ? busy : null);
  server.setPolicy({ device_name: 'Attic PC' });
  await until('the refusals', () => proxy.overridden >= 2);
  const [checkIns, refusals] = [server.checkIns.length, proxy.overridden];
  server.setPolicy({ device_name: 'Den PC' });
  await until('more refusals', () => proxy.overridden >= refusals + 2);
  expect((await test.store.policy())?.device_name).toBe('Attic PC');
  test.clock.up += 61_000;
  await until('the policy', async () => (await test.store.policy())?.device_name === 'Den PC');
  await until('a check-in', () => server.checkIns.length > checkIns);
});
