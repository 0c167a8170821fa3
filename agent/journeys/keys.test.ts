import { releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import { goodFrom, signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair, signDocument, signText } from '@porchlight/definitions/signature.ts';
import { expect, it } from 'vitest';
import { agentForTest, linked, serverForTest } from '../testing/agent.ts';
import { standBetween } from '../testing/between.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const alertOnly = { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' } as const;

/** The next poll is asked for only when what came with the last one is in force, or refused. */
async function afterTwoPolls(server: TestServer): Promise<void> {
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  const before = polls();
  server.setPolicy({ version: server.policy.version });
  await until('the next polls', () => {
    if (polls() < before + 2) server.setPolicy({ version: server.policy.version });
    return polls() >= before + 2;
  });
}

it('P14.1: an agent that has seen version 4 takes version 2 only once the epoch is raised, keeps it through a restart, and no replay of before', async () => {
  const { server, test } = await linked();
  for (const version of [2, 3, 4]) server.setPolicy({ version, actions: version === 4 ? alertOnly : server.policy.actions });
  await until('version 4', async () => (await test.store.policy())?.version === 4);
  server.setDefinitions({ version: 7 });
  await until('definitions 7', async () => (await test.store.definitions())?.version === 7);
  const replayed = { policy: signDocument(server.policy, server.keys.policy), definitions_version: 99, keys: { epoch: 1, version: 1 } };
  const replayedFeed = server.feed.publish({ ...server.definitions, version: 99 });

  // Put back from a backup: nothing of it counts without a raised epoch.
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
  const between = await standBetween(server);
  const json = (body: unknown) => ({ status: 200, type: 'application/json' as const, body: JSON.stringify(body) });
  between.instead = ({ key }) => {
    if (key === 'GET /agent/policy') return json(replayed);
    return key === 'GET /agent/definitions' ? json(replayedFeed) : key === 'GET /agent/keys' ? json({ keys: replayedFeed.keys }) : null;
  };
  const again = await agentForTest(server, { server: between.url, folder: test.folder });
  await until('the replay', () => between.answered > 3);
  expect(await again.store.policy()).toMatchObject({ epoch: 2, version: 2, actions: strict });
  expect(await again.store.definitions()).toMatchObject({ epoch: 2, version: 3 });
  // What the server itself says in the new epoch still counts.
  between.instead = () => null;
  server.setPolicy({ version: 3, device_name: 'Den PC' });
  await until('version 3', async () => (await again.store.policy())?.device_name === 'Den PC');
});

it('P14.1: a free computer too takes older definitions of a higher epoch, and never an epoch that only the key for policies says', async () => {
  const server = await serverForTest();
  server.setDefinitions({ version: 9 });
  const free = await agentForTest(server, { free: true });
  await until('definitions 9', async () => (await free.store.definitions())?.version === 9);
  await free.close();
  server.feed.raiseEpoch(1);
  server.setDefinitions({ version: 2 });
  const again = await agentForTest(server, { free: true, folder: free.folder });
  await until('definitions 2', async () => (await again.store.definitions())?.version === 2);

  const { server: other, test } = await linked();
  other.setPolicy({ epoch: 5, actions: alertOnly });
  await until('the refusal', () => test.said.join().includes('an epoch that our server did not begin'));
  expect(await test.store.policy()).toMatchObject({ epoch: 1, version: 1 });
});

it('A12: a new key for policies is followed while connected and after sleep; the old one, and an attacker’s, sign nothing any more', async () => {
  const { server, test } = await linked();
  const [old, next] = [server.keys.policy, newKeyPair()];
  server.feed.nameKeys(next.public_key, server.keys.link.public_key);
  server.setPolicy({ device_name: 'New key' }, next);
  await until('the new key', async () => (await test.store.policy())?.device_name === 'New key');
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  for (const signer of [old, newKeyPair()]) {
    const before = polls();
    server.setPolicy({ device_name: 'Attacked' }, signer);
    await until('the refusal', () => polls() >= before + 3);
  }
  expect(test.said.join()).toContain('not signed for this device');
  expect((await test.store.policy())?.device_name).toBe('New key');

  // Asleep while it is changed twice; what was in force stays so without a server, though its key is good no more.
  await test.close();
  const last = newKeyPair();
  for (const key of [newKeyPair(), last]) server.feed.nameKeys(key.public_key, server.keys.link.public_key);
  await server.down();
  const offline = await agentForTest(server, { folder: test.folder });
  expect(offline.said.join()).toContain('Porchlight protects this computer as New key.');
  await server.listen();
  server.setPolicy({ device_name: 'Awake' }, last);
  await until('the last key', async () => (await offline.store.policy())?.device_name === 'Awake');
});

it('A12: by a clock that is years ahead the newest key still signs policies, for as long as it is good by what it signed; the one before it does not', async () => {
  const { server, test } = await linked();
  const [old, next] = [server.keys.policy, newKeyPair()];
  const policy = [goodFrom(next.public_key, new Date()), goodFrom(old.public_key, new Date(Date.now() - 86_400_000))];
  server.feed.nameKeys(next.public_key, server.keys.link.public_key, { policy });
  server.setPolicy({ device_name: 'New key' }, next);
  await until('the new key', async () => (await test.store.policy())?.device_name === 'New key');
  await test.close();

  const clock = { ...test.clock, now: new Date(test.clock.now.getTime() + 3 * 365 * 86_400_000) };
  const ahead = await agentForTest(server, { folder: test.folder, clock });
  const refusals = async (signer: typeof old, change: Parameters<TestServer['setPolicy']>[0]) => {
    const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
    const before = polls();
    server.setPolicy({ device_name: 'Attacked', ...change }, signer);
    await until('the refusal', () => polls() >= before + 2);
  };
  await refusals(old, {});
  await refusals(next, { issued: clock.now.toISOString() });
  expect((await ahead.store.policy())?.device_name).toBe('New key');
  server.setPolicy({ device_name: 'Ahead', issued: new Date().toISOString() }, next);
  await until('the policy', async () => (await ahead.store.policy())?.device_name === 'Ahead');
});

it('A12: lists of keys that an attacker made change nothing, and the policy of the good key still arrives', async () => {
  const { server, test } = await linked();
  const between = await standBetween(server);
  await test.close();
  const attacker = newKeyPair();
  const forged = (await serverForTest()).feed;
  forged.nameKeys(attacker.public_key, attacker.public_key);
  between.instead = ({ key }) =>
    key === 'GET /agent/keys' ? { status: 200, type: 'application/json', body: JSON.stringify({ keys: forged.keysAfter(1, 1) }) } : null;
  const again = await agentForTest(server, { folder: test.folder, server: between.url });
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key);
  server.setPolicy({ device_name: 'Attacked' }, attacker);
  await until('the refusal', () => again.said.join().includes('not signed for this device'));
  expect(again.said).toContain(
    'The server has new keys that this computer cannot follow, so what they sign is not taken. What was in force stays in force.',
  );
  server.setPolicy({ device_name: 'Good' });
  await until('the good one', async () => (await again.store.policy())?.device_name === 'Good');
});

it('A12: a link by the new key is taken, by the one before while it is still good, and by neither an attacker nor a key that was stolen', async () => {
  const server = await serverForTest();
  const idle = await agentForTest(server);
  await until('the first keys', async () => (await idle.store.keys()) !== null);
  const [old, next] = [server.keys.link, newKeyPair()];
  const signed = (key: typeof old) => {
    const { uri } = server.link();
    return { uri, signature: signText(uri, key) };
  };
  const beside = [goodFrom(next.public_key, new Date()), goodFrom(old.public_key, new Date())];
  server.feed.nameKeys(server.keys.policy.public_key, next.public_key, { link: beside });
  await expect(idle.agent.link.byLink(signed(newKeyPair()))).rejects.toThrow('not made by our server');
  await idle.agent.link.byLink(signed(old));
  const other = await serverForTest();
  const second = await agentForTest(other);
  const [stolen, after] = [other.keys.link, newKeyPair()];
  other.feed.nameKeys(other.keys.policy.public_key, after.public_key);
  const link = other.link();
  await expect(second.agent.link.byLink({ uri: link.uri, signature: signText(link.uri, stolen) })).rejects.toThrow(
    'not made by our server',
  );
  await second.agent.link.byLink({ uri: link.uri, signature: signText(link.uri, after) });
  expect((await second.status()).body).toMatchObject({ l: true });
});

it('A12: the release key follows the operator’s word in the lists of the root: neither of the two changes it alone', async () => {
  const { server, test } = await linked();
  const [built, next, attacker] = [newKeyPair(), newKeyPair(), newKeyPair()];
  const now = async () => releaseKeyAfter(built.public_key, (await test.store.chain())?.lists ?? []);
  const release = [signReleaseKey(attacker.public_key, new Date(), attacker), signReleaseKey(next.public_key, new Date(), built)];
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, { release: release.slice(0, 1) });
  server.setPolicy({ device_name: 'One' });
  await until('the list', async () => (await test.store.chain())?.keys.release.length === 1);
  expect(await now()).toBe(built.public_key);
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, { release });
  server.setPolicy({ device_name: 'Two' });
  await until('the list', async () => (await test.store.chain())?.keys.release.length === 2);
  expect(await now()).toBe(next.public_key);
  // Once followed, the key before says nothing any more, also in a newer list.
  const back = [...release, signReleaseKey(attacker.public_key, new Date(), built)];
  server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, { release: back });
  server.setPolicy({ device_name: 'Three' });
  await until('the list', async () => (await test.store.chain())?.keys.release.length === 3);
  expect(await now()).toBe(next.public_key);
});
