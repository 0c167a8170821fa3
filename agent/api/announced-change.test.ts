import { expect, test } from 'vitest';
import { agentForTest, serverForTest } from '../testing/agent.ts';
import { proxyForTest } from '../testing/proxy.ts';
import { until } from '../testing/until.ts';

type Answer = { status: number; type: 'application/json'; body: string; headers?: Record<string, string> };

/** An agent whose server announces a change, and answers the first two calls for the policy after it with `answer`. */
async function announcedChange(answer: Answer) {
  const server = await serverForTest();
  const proxy = await proxyForTest(server);
  const agent = await agentForTest(server, { server: proxy.url });
  await agent.linked();
  const calls: string[] = [];
  proxy.override = ({ key }) => {
    if (key !== 'GET /agent/policy' && key !== 'POST /agent/changes') return null;
    calls.push(key);
    return key === 'GET /agent/policy' && calls.filter((one) => one === key).length <= 2 ? answer : null;
  };
  server.setPolicy({ device_name: 'Kitchen PC' });
  return { calls, policyInForce: async () => (await agent.store.policy())?.device_name === 'Kitchen PC' };
}

test('[P14.5] a change that the server has announced is fetched again where a server in between fails, before the next poll', async () => {
  const { calls, policyInForce } = await announcedChange({ status: 502, type: 'application/json', body: '{}' });
  await until('the policy', policyInForce);
  expect(calls.slice(0, 3)).toEqual(['GET /agent/policy', 'GET /agent/policy', 'GET /agent/policy']);
});

test('[P14.5] a busy server that has set the wait is not asked again for the announced change before that', async () => {
  const body = JSON.stringify({ error: 'We are busy right now.', code: 'unavailable', request_id: 'test' });
  const { calls, policyInForce } = await announcedChange({ status: 503, type: 'application/json', body, headers: { 'retry-after': '1' } });
  await until('the policy', policyInForce);
  expect(calls.slice(0, 4)).toEqual(['GET /agent/policy', 'POST /agent/changes', 'GET /agent/policy', 'POST /agent/changes']);
});
