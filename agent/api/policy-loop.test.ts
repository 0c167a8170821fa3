import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { expect, it } from 'vitest';
import { agentForTest, linked } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

it('the agent applies a policy although the definitions offered with it are not signed by our server', async () => {
  const { server, test } = await linked();
  server.setDefinitions({}, newKeyPair());
  server.setPolicy({ device_name: 'Kitchen PC' });
  await until('the new policy', async () => (await test.store.policy())?.device_name === 'Kitchen PC');
  expect((await test.store.definitions())?.version).toBe(1);
  await until('it to say so', () => test.logLines.some((sentence) => sentence.includes('not signed by a key that we know')));
});

it('after a restart a stored policy of another device is not in force', async () => {
  const { server, test } = await linked();
  const policy = await test.store.policy();
  await test.close();
  await test.store.setIdentity({
    server: server.url,
    agent_token: 't',
    device: { uuid: '11111111-1111-4111-8111-111111111111', name: 'Other' },
    holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
  });
  server.setMood('silent');
  await test.store.savePolicy(signDocument(server.policy, server.keys.policy));
  expect((await test.store.policy())?.device).toBe(policy?.device);
  const restartedAgent = await agentForTest(server, { folder: test.folder });
  expect(restartedAgent.logLines.join()).not.toContain('protects this computer');
});
