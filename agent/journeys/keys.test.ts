import { releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import { goodFrom, signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair, signDocument, signText } from '@porchlight/definitions/signature.ts';
import { expect, it } from 'vitest';
import { agentForTest, linked, serverForTest } from '../testing/agent.ts';
import { proxyForTest } from '../testing/proxy.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const alertOnly = { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' } as const;

/** Waits for two polls, because the next poll begins only when the last answer is in force or refused. */
async function afterTwoPolls(server: TestServer): Promise<void> {
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  const pollsBefore = polls();
  server.setPolicy({ version: server.policy.version });
  await until('the next polls', () => {
    if (polls() < pollsBefore + 2) server.setPolicy({ version: server.policy.version });
    return polls() >= pollsBefore + 2;
  });
}

it('P14.1: an agent that has seen version 4 accepts version 2 only with a higher epoch, also after a restart, and refuses replayed policies of the former epoch', async () => {
  const { server, test } = await linked();
  for (const version of [2, 3, 4]) server.setPolicy({ version, actions: version === 4 ? alertOnly : server.policy.actions });
  await until('version 4', async () => (await test.store.policy())?.version === 4);
  server.setDefinitions({ version: 7 });
  await until('definitions 7', async () => (await test.store.definitions())?.version === 7);
  const replayed = { policy: signDocument(server.policy, server.keys.policy), definitions_version: 99, keys: { epoch: 1, version: 1 } };
  const replayedFeed = server.feed.publish({ ...server.definitions, version: 99 });

  // The server was restored from a backup, without a raised epoch.
  const strict = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } as const;
  server.setPolicy({ version: 2, actions: strict });
  server.setDefinitions({ version: 3 });
  await afterTwoPolls(server);
  expect([(await test.store.policy())?.version, (await test.store.definitions())?.version]).toEqual([4, 7]);

  server.feed.raiseEpoch(1);
  server.setDefinitions({ version: 3 });
  server.setPolicy({ version: 2, actions: strict });
  await until('version 2', async () => (await test.store.policy())?.version === 2);
  await until('definitions 3', async () => (await test.store.definitions())?.version === 3);
  const anydesk = test.os.start({ name: 'anydesk' });
  await until('strict in force', () => !test.os.running.has(anydesk));

  await test.close();
  const proxy = await proxyForTest(server);
  const json = (body: unknown) => ({ status: 200, type: 'application/json' as const, body: JSON.stringify(body) });
  proxy.override = ({ key }) => {
    if (key === 'POST /agent/changes') return json({ changed: true });
    if (key === 'GET /agent/policy') return json(replayed);
    return key === 'GET /agent/definitions' ? json(replayedFeed) : key === 'GET /agent/keys' ? json({ keys: replayedFeed.keys }) : null;
  };
  const restartedAgent = await agentForTest(server, { server: proxy.url, folder: test.folder });
  await until('the replay', () => proxy.overridden > 3);
  expect(await restartedAgent.store.policy()).toMatchObject({ epoch: 2, version: 2, actions: strict });
  expect(await restartedAgent.store.definitions()).toMatchObject({ epoch: 2, version: 3 });
  proxy.override = () => null;
  server.setPolicy({ version: 3, device_name: 'Den PC' });
  await until('version 3', async () => (await restartedAgent.store.policy())?.device_name === 'Den PC');
});

it('P14.1: a computer with the free plan accepts older definitions only with a higher epoch that the root signed, not a list signed only by the policy key', async () => {
  const server = await serverForTest();
  server.setDefinitions({ version: 9 });
  const freeAgent = await agentForTest(server, { freeAgent: true });
  await until('definitions 9', async () => (await freeAgent.store.definitions())?.version === 9);
  await freeAgent.close();
  server.feed.raiseEpoch(1);
  server.setDefinitions({ version: 2 });
  const restartedAgent = await agentForTest(server, { freeAgent: true, folder: freeAgent.folder });
  await until('definitions 2', async () => (await restartedAgent.store.definitions())?.version === 2);

  const { server: otherServer, test } = await linked();
  otherServer.setPolicy({ epoch: 5, actions: alertOnly });
  await until('the refusal', () => test.logLines.join().includes('an epoch that our server did not begin'));
  expect(await test.store.policy()).toMatchObject({ epoch: 1, version: 1 });
});

it("A12: the agent follows a new policy key while connected and after sleep, and refuses the old key and an attacker's", async () => {
  const { server, test } = await linked();
  const [oldKey, newKey] = [server.keys.policy, newKeyPair()];
  server.feed.nameKeys(newKey.public_key, server.keys.link.public_key);
  server.setPolicy({ device_name: 'New key' }, newKey);
  await until('the new key', async () => (await test.store.policy())?.device_name === 'New key');
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  for (const signer of [oldKey, newKeyPair()]) {
    const pollsBefore = polls();
    server.setPolicy({ device_name: 'Attacked' }, signer);
    await until('the refusal', () => polls() >= pollsBefore + 3);
  }
  expect(test.logLines.join()).toContain('not signed for this device');
  expect((await test.store.policy())?.device_name).toBe('New key');

  // The agent is off during two key changes; its stored policy stays in force offline, although its key was revoked.
  await test.close();
  const latestKey = newKeyPair();
  for (const key of [newKeyPair(), latestKey]) server.feed.nameKeys(key.public_key, server.keys.link.public_key);
  await server.down();
  const offline = await agentForTest(server, { folder: test.folder });
  expect(offline.logLines.join()).toContain('Porchlight protects this computer as New key.');
  await server.listen();
  server.setPolicy({ device_name: 'Awake' }, latestKey);
  await until('the last key', async () => (await offline.store.policy())?.device_name === 'Awake');
});

it('A12: with a clock years ahead the agent accepts policies of the newest key that were issued while that key was valid, and no policies of earlier keys', async () => {
  const { server, test } = await linked();
  const [oldKey, newKey] = [server.keys.policy, newKeyPair()];
  const policy = [goodFrom(newKey.public_key, new Date()), goodFrom(oldKey.public_key, new Date(Date.now() - 86_400_000))];
  server.feed.nameKeys(newKey.public_key, server.keys.link.public_key, { policy });
  server.setPolicy({ device_name: 'New key' }, newKey);
  await until('the new key', async () => (await test.store.policy())?.device_name === 'New key');
  await test.close();

  const clock = { ...test.clock, now: new Date(test.clock.now.getTime() + 3 * 365 * 86_400_000) };
  const ahead = await agentForTest(server, { folder: test.folder, clock });
  const refusals = async (signer: typeof oldKey, change: Parameters<TestServer['setPolicy']>[0]) => {
    const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
    const pollsBefore = polls();
    server.setPolicy({ device_name: 'Attacked', ...change }, signer);
    await until('the refusal', () => polls() >= pollsBefore + 2);
  };
  await refusals(oldKey, {});
  await refusals(newKey, { issued: clock.now.toISOString() });
  expect((await ahead.store.policy())?.device_name).toBe('New key');
  server.setPolicy({ device_name: 'Ahead', issued: new Date().toISOString() }, newKey);
  await until('the policy', async () => (await ahead.store.policy())?.device_name === 'Ahead');
});

it('A12: forged key lists change nothing, and the policy of the valid key still arrives', async () => {
  const { server, test } = await linked();
  const proxy = await proxyForTest(server);
  await test.close();
  const attacker = newKeyPair();
  const forgedFeed = (await serverForTest()).feed;
  forgedFeed.nameKeys(attacker.public_key, attacker.public_key);
  proxy.override = ({ key }) =>
    key === 'GET /agent/keys'
      ? { status: 200, type: 'application/json', body: JSON.stringify({ keys: forgedFeed.keysAfter(1, 1) }) }
      : null;
  const restartedAgent = await agentForTest(server, { folder: test.folder, server: proxy.url });
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key);
  server.setPolicy({ device_name: 'Attacked' }, attacker);
  await until('the refusal', () => restartedAgent.logLines.join().includes('not signed for this device'));
  expect(restartedAgent.logLines).toContain(
    'The server has new keys that this computer cannot follow, so what they sign is not taken. What was in force stays in force.',
  );
  server.setPolicy({ device_name: 'Good' });
  await until('the good one', async () => (await restartedAgent.store.policy())?.device_name === 'Good');
});

it("A12: the agent accepts a link signed with the new key, or with the previous key while it is valid, but not with an attacker's or a stolen key", async () => {
  const server = await serverForTest();
  const unlinkedAgent = await agentForTest(server);
  await until('the first keys', async () => (await unlinkedAgent.store.keys()) !== null);
  const [oldKey, newKey] = [server.keys.link, newKeyPair()];
  const signedLink = (key: typeof oldKey) => {
    const { uri } = server.link();
    return { uri, signature: signText(uri, key) };
  };
  const linkKeys = [goodFrom(newKey.public_key, new Date()), goodFrom(oldKey.public_key, new Date())];
  server.feed.nameKeys(server.keys.policy.public_key, newKey.public_key, { link: linkKeys });
  await expect(unlinkedAgent.agent.link.byLink(signedLink(newKeyPair()))).rejects.toThrow('not made by our server');
  await unlinkedAgent.agent.link.byLink(signedLink(oldKey));
  const otherServer = await serverForTest();
  const secondAgent = await agentForTest(otherServer);
  const [stolenKey, replacementKey] = [otherServer.keys.link, newKeyPair()];
  otherServer.feed.nameKeys(otherServer.keys.policy.public_key, replacementKey.public_key);
  const link = otherServer.link();
  await expect(secondAgent.agent.link.byLink({ uri: link.uri, signature: signText(link.uri, stolenKey) })).rejects.toThrow(
    'not made by our server',
  );
  await secondAgent.agent.link.byLink({ uri: link.uri, signature: signText(link.uri, replacementKey) });
  expect((await secondAgent.status()).body).toMatchObject({ l: true });
});

it("A12: the release key changes only with the operator's signature inside a list signed by the root, never by either signature alone", async () => {
  const { server, test } = await linked();
  const [builtKey, newKey, attacker] = [newKeyPair(), newKeyPair(), newKeyPair()];
  const releaseKeyInForce = async () => releaseKeyAfter(builtKey.public_key, (await test.store.chain())?.lists ?? []);
  const release = [signReleaseKey(attacker.public_key, new Date(), attacker), signReleaseKey(newKey.public_key, new Date(), builtKey)];
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, { release: release.slice(0, 1) });
  server.setPolicy({ device_name: 'One' });
  await until('the list', async () => (await test.store.chain())?.keys.release.length === 1);
  expect(await releaseKeyInForce()).toBe(builtKey.public_key);
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, { release });
  server.setPolicy({ device_name: 'Two' });
  await until('the list', async () => (await test.store.chain())?.keys.release.length === 2);
  expect(await releaseKeyInForce()).toBe(newKey.public_key);
  const laterRelease = [...release, signReleaseKey(attacker.public_key, new Date(), builtKey)];
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, { release: laterRelease });
  server.setPolicy({ device_name: 'Three' });
  await until('the list', async () => (await test.store.chain())?.keys.release.length === 3);
  expect(await releaseKeyInForce()).toBe(newKey.public_key);
});
