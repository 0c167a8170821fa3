import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { diffSiteLists } from '@porchlight/definitions/sites/site-delta.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, it } from 'vitest';
import { openStore, type Store } from '../state/store.ts';
import { agentForTest, ended, linked, temporaryFolder } from '../testing/agent.ts';
import { fakeFeed } from '../testing/feed.ts';
import { feedTrial } from '../testing/feed-trial.ts';
import { mutatedFeeds } from '../testing/mutated-feeds.ts';
import { until } from '../testing/until.ts';
import { acceptFeed, refusedVersions } from './feed.ts';

const definitions = readCatalogue().slice(0, 2);
const lists = [['evil.test'], ['evil.test', 'worse.test'], ['worse.test', 'worst.test']].map((names) => buildSiteList(names));
const [firstList = new Uint8Array(), secondList = new Uint8Array(), thirdList = new Uint8Array()] = lists;
const neverAborted = new AbortController().signal;

/** A store that trusts the root of a fake feed; `fetched`: the hashes of the downloaded parts. */
async function taking() {
  const feed = fakeFeed();
  const store = await openStore(await temporaryFolder());
  await store.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: feed.root().public_key } });
  const fetched: string[] = [];
  const fetchPart = async ({ sha256 }: { sha256: string }) => {
    fetched.push(sha256);
    const bytes = feed.partsByHash.get(sha256);
    if (!bytes) throw new Error('404');
    return bytes;
  };
  const take = (version: number, more = {}, at: Store = store) =>
    acceptFeed({ store: at, fetchPart, now: () => new Date() }, feed.publish({ version, definitions }, feed.signing(), more), neverAborted);
  return { feed, store, fetched, take, sites: async () => (await store.feed.load())?.content?.sites };
}

it('[P4.2] the agent fetches only the changed parts of a feed, and a delta of the site list when one fits the stored list', async () => {
  const { fetched, take, sites } = await taking();
  await take(1, { sites: firstList });
  expect(fetched).toHaveLength(2);
  const delta = { from: sha256Of(firstList), bytes: diffSiteLists(firstList, secondList) };
  await take(2, { sites: secondList, deltas: [delta] });
  expect(fetched.slice(2)).toEqual([sha256Of(delta.bytes)]);
  expect(Buffer.from((await sites()) ?? [])).toEqual(Buffer.from(secondList));
  await take(3, { sites: secondList });
  await take(4, { sites: thirdList, deltas: [delta] });
  expect(fetched.slice(3)).toEqual([sha256Of(thirdList)]);
  await take(5);
  expect(await sites()).toBeNull();
});

it('the agent fetches the whole site list when no delta fits the stored list', async () => {
  const { fetched, take, sites } = await taking();
  await take(1, { sites: firstList });
  const changes = [diffSiteLists(secondList, thirdList), diffSiteLists(firstList, thirdList), Buffer.from('no change')];
  for (const [n, bytes] of changes.entries()) {
    await take(2 + n * 2, { sites: secondList, deltas: [{ from: sha256Of(firstList), bytes }] });
    expect(fetched.slice(-2)).toEqual([sha256Of(bytes), sha256Of(secondList)]);
    expect(Buffer.from((await sites()) ?? [])).toEqual(Buffer.from(secondList));
    await take(3 + n * 2, { sites: firstList });
  }
});

it('the disk always holds one complete feed, and after an update no part of the former one', async () => {
  const { feed, store, take } = await taking();
  await take(1, { sites: firstList });
  const folder = await temporaryFolder();
  const secondStore = await openStore(folder);
  await secondStore.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: feed.root().public_key } });
  await take(1, { sites: firstList }, secondStore);
  await take(2, { sites: secondList }, secondStore);
  expect((await readdir(join(folder, 'definitions'))).sort()).toHaveLength(3);

  // Simulates a crash between writing the parts and writing the index that names them.
  const storedFeed = await store.feed.load();
  await take(3, { sites: thirdList });
  const newest = await store.feed.load();
  if (!storedFeed?.content || !newest?.content) throw new Error('nothing is held');
  await store.feed.save(storedFeed, storedFeed.content);
  const failingFeed = { ...store.feed, save: () => Promise.reject(new Error('no room on the disk')) };
  await expect(take(4, {}, { ...store, feed: failingFeed })).rejects.toThrow('no room');
  expect((await store.definitions())?.version).toBe(1);
});

it('a feed changed on the disk is refused, fetched again in the same version, and never replaced by an older one', async () => {
  const { feed, take } = await taking();
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  await store.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: feed.root().public_key } });
  await take(7, {}, store);
  const [partName = ''] = (await readdir(join(folder, 'definitions'))).filter((name) => name.endsWith('.part'));
  const path = join(folder, 'definitions', partName);
  const validPart = await readFile(path, 'utf8');
  for (const damage of [validPart.replace('RemoteControl', 'remoteControl'), validPart.slice(1), '', null]) {
    await (damage === null ? rm(path) : writeFile(path, damage));
    expect(await store.definitions()).toBeNull();
    await expect(take(6, {}, store)).rejects.toThrow('older');
    expect((await take(7, {}, store)).version).toBe(7);
    expect((await store.definitions())?.version).toBe(7);
  }
});

it('the agent follows new signing keys and a new root, both while it runs and after a restart', async () => {
  const { server, test } = await linked();
  const inForce = (version: number) => until(`version ${version}`, async () => (await test.store.definitions())?.version === version);
  server.feed.newSigningKey();
  server.setDefinitions({});
  await inForce(2);
  await test.close();
  server.feed.newRoot();
  server.feed.newSigningKey();
  server.setDefinitions({});
  const restartedAgent = await agentForTest(server, { folder: test.folder });
  await inForce(3);
  await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
});

it('a refused feed is logged once, delays no policy, and leaves the feed in force unchanged, also after a restart', async () => {
  const { server, test } = await linked();
  const staleFeed = server.feed.publish({ version: 9, definitions: [] }, server.feed.signing(), { issued: new Date(0) });
  for (const name of ['Kitchen PC', 'Den PC']) {
    server.offer(staleFeed);
    server.setPolicy({ device_name: name });
    await until('the policy', async () => (await test.store.policy())?.device_name === name);
  }
  await until('it to say so', () => test.logLines.some((line) => line.includes('is not in force')));
  const calls = (key: string) => server.calls.filter((call) => call === key).length;
  await until('both to be asked for', () => calls('GET /agent/definitions') > 2);
  const polls = server.polls();
  server.setPolicy({ device_name: 'Attic PC' });
  await until('another poll', () => server.polls() > polls);
  expect(test.logLines.filter((line) => line.includes('out of date') || line.includes('was not good then'))).toHaveLength(1);
  expect(test.logLines.join()).not.toContain('cannot be reached');
  await test.close();
  const restartedAgent = await agentForTest(server, { folder: test.folder });
  await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
  expect((await restartedAgent.store.definitions())?.version).toBe(1);
});

it('a refused version is fetched again after five minutes of running, whatever the clock showed when it was refused', async () => {
  const { feed, store } = await taking();
  let up = 1_000_000;
  const refusals = refusedVersions(
    () => up,
    () => {},
  );
  const wrongClock = () => new Date(Date.now() + 380 * 86_400_000);
  const fetchPart = () => Promise.reject(new Error('404'));
  await refusals.unlessRefused(7, () =>
    acceptFeed({ store, fetchPart, now: wrongClock }, feed.publish({ version: 7, definitions }), neverAborted),
  );
  up += 5 * 60_000 - 1;
  expect([refusals.isRefused(7), refusals.known()]).toEqual([true, 7]);
  up += 1;
  expect([refusals.isRefused(7), refusals.known()]).toEqual([false, 0]);
});

it('none of 1,000 mutated feeds is loaded, and the last good one stays in force', async () => {
  expect(await feedTrial(await temporaryFolder(), mutatedFeeds(1, definitions), 1000)).toEqual([]);
});
