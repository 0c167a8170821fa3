import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { openFeed } from '@porchlight/definitions/feed.ts';
import { followKeys, goodKeys, releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import { signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair, openDocument, verifyText } from '@porchlight/definitions/signature.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, onTestFinished, test } from 'vitest';
import { sealer } from '../../secrets/seal.ts';
import { porchlight } from '../../testing/command.ts';
import { pollOf } from '../../testing/policy-of.ts';
import { linkedDevice, person, testServer, until } from '../../testing/world.ts';
import { definitionStore } from './store.ts';

const catalogue = readCatalogue().slice(0, 3);
const secret = 'a secret key for tests, thirty-two characters';

async function serverWithStore() {
  const otherServer = await testServer({}, catalogue);
  onTestFinished(() => otherServer.close());
  return { other: otherServer, sets: definitionStore(otherServer.db, otherServer.clock, sealer(secret)) };
}

test('P14.1: after a database restore an agent accepts lower versions only in a higher epoch, and none of the old one', async () => {
  const { other, sets } = await serverWithStore();
  const root = String((await other.call('GET /agent/server')).body.keys?.definitions);
  const feedFor = async ({ epoch, version }: { epoch: number; version: number }) =>
    (await other.call(`GET /agent/free-plan?known_keys=${version}&known_epoch=${epoch}`)).body.definitions as unknown as SignedFeed;
  const { token } = await person(other);
  const { agent, uuid } = await linkedDevice(other, token);
  const policyOf = async () => {
    const answer = (await other.call('GET /agent/policy', { token: agent })).body;
    return JSON.parse(String(answer.policy?.payload)) as { epoch: number; version: number };
  };
  const backup = { sets: await other.db.selectFrom('definition_sets').selectAll().execute() };
  for (const n of [1, 2]) await sets.publish({ sites: buildSiteList([`evil-${n}.test`]) });
  await sets.rotate('signing_key');
  const stored = openFeed(root, null, await feedFor({ epoch: 1, version: 0 }), other.clock.now());
  expect([stored.set.version, stored.keys.version]).toEqual([4, 2]);

  await other.db.deleteFrom('definition_sets').where('version', '>', backup.sets.length).execute();
  await other.db.deleteFrom('feed_keys').where('version', '>', 1).execute();
  const olderKeys = await feedFor(stored.keys);
  expect(() => openFeed(root, stored, olderKeys, other.clock.now())).toThrow('they are not signed by a key that we know');
  const policyBefore = await policyOf();

  expect(await sets.raiseEpoch()).toBeGreaterThan(1_700_000_000);
  const nextFeed = openFeed(root, stored, await feedFor(stored.keys), other.clock.now());
  expect([nextFeed.set.version, nextFeed.keys.version]).toEqual([2, 2]);
  expect(nextFeed.set.epoch).toBe(nextFeed.keys.epoch);
  // A man in the middle replays older signatures.
  expect(() => openFeed(root, nextFeed, stored.feed, other.clock.now())).toThrow('it was made with older keys than we know');
  expect(() => openFeed(root, nextFeed, { ...stored.feed, keys: stored.feed.keys.slice(1) }, other.clock.now())).toThrow('older keys');
  // Policies contain the new epoch but keep their version; raising the epoch again increases it.
  expect(await policyOf()).toMatchObject({ ...policyBefore, epoch: nextFeed.keys.epoch, issued: expect.any(String) });
  expect(await sets.raiseEpoch()).toBeGreaterThan(nextFeed.keys.epoch);
  const known = { version: 9, definitions: 99, epoch: nextFeed.keys.epoch };
  expect((await pollOf(other, agent, known)).body).toMatchObject({ changed: true });
  expect((await other.call(`GET /web/devices/${uuid}`, { token })).status).toBe(200);
});

test('P14.1: after a database restore an agent with an older epoch gets an answer at once, and one with the newest epoch waits', async () => {
  const { other, sets } = await serverWithStore();
  const { token } = await person(other);
  const { agent, uuid } = await linkedDevice(other, token, 'A');
  const epoch = await sets.raiseEpoch();
  const known = { version: 9, definitions: 99, epoch };
  // Events that the server receives late, such as that the device was added, end a wait too.
  await until('a wait that lasts', async () => !(await pollOf(other, agent, known, 1)).body.changed);
  const waitingPoll = pollOf(other, agent, known);
  expect((await pollOf(other, agent, { ...known, epoch: 1 })).body).toMatchObject({ changed: true });
  await other.call(`POST /web/devices/${uuid}`, { token, body: { name: 'A', policy: 'permissive' } });
  expect((await waitingPoll).body).toMatchObject({ changed: true });
});

test('A12: policy and link keys can be rotated while the server runs, and its next policy and link use the new keys', async () => {
  const { other, sets } = await serverWithStore();
  const { token } = await person(other);
  const { agent } = await linkedDevice(other, token);
  const { root, first } = await (async () => {
    const { keys } = (await other.call('GET /agent/server')).body;
    return { root: String(keys?.definitions), first: { policy: String(keys?.policy), link: String(keys?.link) } };
  })();
  const currentList = async () => followKeys(root, (await other.call('GET /agent/keys')).body.keys as unknown as SignedDocument[]).keys;
  const validKeys = async (purpose: 'policy' | 'link') => goodKeys(await currentList(), purpose, first[purpose], other.clock.now());
  expect([await validKeys('policy'), await validKeys('link')]).toEqual([[first.policy], [first.link]]);

  await sets.rotateKey('policy', { stolen: true });
  const [policyKey] = await validKeys('policy');
  expect([policyKey === first.policy, await validKeys('link')]).toEqual([false, [first.link]]);
  expect((await validKeys('policy')).length).toBe(1);
  const policy = (await other.call('GET /agent/policy', { token: agent })).body.policy as unknown as SignedDocument;
  expect(openDocument(policy, String(policyKey), devicePolicy)?.device).toBeTruthy();

  const { body: deviceBefore } = await other.call('POST /web/create-device', { token, body: { name: 'B', policy: null } });
  await sets.rotateKey('link', { stolen: false });
  const { body: deviceAfter } = await other.call('POST /web/create-device', { token, body: { name: 'C', policy: null } });
  const signer = async (link: typeof deviceBefore, keys: string[]) =>
    keys.findIndex((key) => verifyText(String(link.link_uri), String(link.link_uri_signature), key));
  const links = await validKeys('link');
  expect([await signer(deviceAfter, links), await signer(deviceBefore, links), links[1]]).toEqual([0, 1, first.link]);
  other.clock.turn(7 * day);
  expect(await validKeys('link')).toEqual([links[0]]);
});

test('[P14.1] A12: commands raise the epoch and rotate each key, and invalid arguments change nothing', {
  timeout: 180_000,
}, async () => {
  const { other } = await serverWithStore();
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = String((await other.call('GET /agent/server')).body.keys?.definitions);
  const currentChain = async () => followKeys(root, (await other.call('GET /agent/keys')).body.keys as unknown as SignedDocument[]);
  const file = join(folder, 'statement.json');
  const [a, b, c] = [newKeyPair(), newKeyPair(), newKeyPair()];
  const run = (...args: string[]) => porchlight(args, { DATABASE_URL: other.database_url, SECRET_KEY: secret });
  const rotateKey = async (statement: unknown) => {
    await writeFile(file, JSON.stringify(statement));
    return run('keys', 'rotate-release', '--statement', file);
  };
  expect(await rotateKey(signReleaseKey(b.public_key, new Date(), a))).toMatchObject({ code: 0, err: '' });
  const chainAfter = await currentChain();
  expect([releaseKeyAfter(a.public_key, chainAfter.lists), releaseKeyAfter(c.public_key, chainAfter.lists)]).toEqual([
    b.public_key,
    c.public_key,
  ]);
  expect(await rotateKey(signReleaseKey(c.public_key, new Date(), a))).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('does not follow'),
  });
  expect(await rotateKey({ ...signReleaseKey(c.public_key, new Date(), b), signature: 'x' })).toMatchObject({ code: 2, out: '' });
  expect(await run('keys', 'rotate-link', '--why')).toMatchObject({ code: 2, out: '' });
  expect((await currentChain()).documents).toEqual(chainAfter.documents);
  expect(await run('keys', 'rotate-link', '--stolen')).toMatchObject({ code: 0, out: expect.stringContaining('not taken any more') });
  expect(await run('epoch', 'raise')).toMatchObject({ code: 0, out: expect.stringMatching(/^The epoch is \d{10}\. Agents take /) });
  const { keys } = await currentChain();
  expect([keys.link.length, keys.version, keys.epoch > 1_700_000_000]).toEqual([1, chainAfter.keys.version + 2, true]);
});
