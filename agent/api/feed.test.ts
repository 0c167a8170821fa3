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
import { acceptFeed } from './feed.ts';

const definitions = readCatalogue().slice(0, 2);
const lists = [['evil.test'], ['evil.test', 'worse.test'], ['worse.test', 'worst.test']].map(buildSiteList);
const [first = new Uint8Array(), second = new Uint8Array(), third = new Uint8Array()] = lists;
const never = new AbortController().signal;

/** A store that knows our root, and which parts were fetched. */
async function taking() {
  const feed = fakeFeed();
  const store = await openStore(await temporaryFolder());
  await store.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: feed.root().public_key } });
  const fetched: string[] = [];
  const fetchPart = async ({ sha256 }: { sha256: string }) => {
    fetched.push(sha256);
    const bytes = feed.parts.get(sha256);
    if (!bytes) throw new Error('404');
    return bytes;
  };
  const take = (version: number, more = {}, at: Store = store) =>
    acceptFeed({ store: at, fetchPart, now: () => new Date() }, feed.publish({ version, definitions }, feed.signing(), more), never);
  return { feed, store, fetched, take, sites: async () => (await store.feed.held())?.parts?.sites };
}

it('[P4.2] the agent fetches only changed parts, and for the site list the delta when there is one for the stored list', async () => {
  const { fetched, take, sites } = await taking();
  await take(1, { sites: first });
  expect(fetched).toHaveLength(2);
  const delta = { from: sha256Of(first), bytes: diffSiteLists(first, second) };
  await take(2, { sites: second, deltas: [delta] });
  expect(fetched.slice(2)).toEqual([sha256Of(delta.bytes)]);
  expect(Buffer.from((await sites()) ?? [])).toEqual(Buffer.from(second));
  await take(3, { sites: second });
  await take(4, { sites: third, deltas: [delta] });
  expect(fetched.slice(3)).toEqual([sha256Of(third)]);
  await take(5);
  expect(await sites()).toBeNull();
});

it('the agent fetches the whole site list when the delta does not fit', async () => {
  const { fetched, take, sites } = await taking();
  await take(1, { sites: first });
  const changes = [diffSiteLists(second, third), diffSiteLists(first, third), Buffer.from('no change')];
  for (const [n, bytes] of changes.entries()) {
    await take(2 + n * 2, { sites: second, deltas: [{ from: sha256Of(first), bytes }] });
    expect(fetched.slice(-2)).toEqual([sha256Of(bytes), sha256Of(second)]);
    expect(Buffer.from((await sites()) ?? [])).toEqual(Buffer.from(second));
    await take(3 + n * 2, { sites: first });
  }
});

it('the disk holds the feed in force and no older one, complete at any moment', async () => {
  const { feed, store, take } = await taking();
  await take(1, { sites: first });
  const folder = await temporaryFolder();
  const twin = await openStore(folder);
  await twin.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: feed.root().public_key } });
  await take(1, { sites: first }, twin);
  await take(2, { sites: second }, twin);
  expect((await readdir(join(folder, 'definitions'))).sort()).toHaveLength(3);

  // A crash between the parts and the file that names them.
  const held = await store.feed.held();
  await take(3, { sites: third });
  const newest = await store.feed.held();
  if (!held?.parts || !newest?.parts) throw new Error('nothing is held');
  await store.feed.keep(held, held.parts);
  const failing = { ...store.feed, keep: () => Promise.reject(new Error('no room on the disk')) };
  await expect(take(4, {}, { ...store, feed: failing })).rejects.toThrow('no room');
  expect((await store.definitions())?.version).toBe(1);
});

it('a feed changed on the disk is refused, fetched again in the same version, and never replaced by an older one', async () => {
  const { feed, take } = await taking();
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  await store.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: feed.root().public_key } });
  await take(7, {}, store);
  const [part = ''] = (await readdir(join(folder, 'definitions'))).filter((name) => name.endsWith('.part'));
  const path = join(folder, 'definitions', part);
  const good = await readFile(path, 'utf8');
  for (const damage of [good.replace('RemoteControl', 'remoteControl'), good.slice(1), '', null]) {
    await (damage === null ? rm(path) : writeFile(path, damage));
    expect(await store.definitions()).toBeNull();
    await expect(take(6, {}, store)).rejects.toThrow('older');
    expect((await take(7, {}, store)).version).toBe(7);
    expect((await store.definitions())?.version).toBe(7);
  }
});

it('the agent follows new keys and a new root, while it runs and after it was off during the changes', async () => {
  const { server, test } = await linked();
  const inForce = (version: number) => until(`version ${version}`, async () => (await test.store.definitions())?.version === version);
  server.feed.newSigningKey();
  server.setDefinitions({});
  await inForce(2);
  await test.close();
  server.feed.newRoot();
  server.feed.newSigningKey();
  server.setDefinitions({});
  const again = await agentForTest(server, { folder: test.folder });
  await inForce(3);
  await ended(again, again.os.start({ name: 'anydesk' }));
});

it('a refused feed is logged once, delays nothing, and leaves the feed in force as it was, also after a restart', async () => {
  const { server, test } = await linked();
  const stale = server.feed.publish({ version: 9, definitions: [] }, server.feed.signing(), { issued: new Date(0) });
  for (const name of ['Kitchen PC', 'Den PC']) {
    server.offer(stale);
    server.setPolicy({ device_name: name });
    await until('the policy', async () => (await test.store.policy())?.device_name === name);
  }
  await until('it to say so', () => test.said.some((line) => line.includes('is not in force')));
  const calls = (key: string) => server.calls.filter((call) => call === key).length;
  await until('both to be asked for', () => calls('GET /agent/definitions') > 2);
  // The next poll begins only when the last answer was dealt with.
  const polls = calls('GET /agent/policy');
  server.setPolicy({ device_name: 'Attic PC' });
  await until('another poll', () => calls('GET /agent/policy') > polls);
  expect(test.said.filter((line) => line.includes('out of date') || line.includes('was not good then'))).toHaveLength(1);
  expect(test.said.join()).not.toContain('cannot be reached');
  await test.close();
  const again = await agentForTest(server, { folder: test.folder });
  await ended(again, again.os.start({ name: 'anydesk' }));
  expect((await again.store.definitions())?.version).toBe(1);
});

it('none of 1,000 mutated feeds is loaded, and the last good one stays in force', async () => {
  expect(await feedTrial(await temporaryFolder(), mutatedFeeds(1, definitions), 1000)).toEqual([]);
});
