import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { openFeed } from '@porchlight/definitions/feed.ts';
import { followKeys, goodKeys, releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import { signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair, openDocument, verifyText } from '@porchlight/definitions/signature.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, onTestFinished, test } from 'vitest';
import { sealer } from '../../lib/seal.ts';
import { porchlight } from '../../testing/command.ts';
import { linkedDevice, person, testServer } from '../../testing/world.ts';
import { definitionStore } from './store.ts';

const day = 86_400_000;
const catalogue = readCatalogue().slice(0, 3);
const secret = 'a secret key for tests, thirty-two characters';

/** A server of its own, and what a command beside it writes with. */
async function serverWithStore() {
  const other = await testServer({}, catalogue);
  onTestFinished(() => other.close());
  return { other, sets: definitionStore(other.db, other.clock, sealer(secret)) };
}

test('P14.1: after the database was put back an agent takes lower versions only once the epoch is raised, and nothing of the one before any more', async () => {
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
  const held = openFeed(root, null, await feedFor({ epoch: 1, version: 0 }), other.clock.now());
  expect([held.set.version, held.keys.version]).toEqual([4, 2]);

  await other.db.deleteFrom('definition_sets').where('version', '>', backup.sets.length).execute();
  await other.db.deleteFrom('feed_keys').where('version', '>', 1).execute();
  const older = await feedFor(held.keys);
  expect(() => openFeed(root, held, older, other.clock.now())).toThrow('they are not signed by our server');
  const before = await policyOf();

  expect(await sets.raiseEpoch()).toBeGreaterThan(1_700_000_000);
  const next = openFeed(root, held, await feedFor(held.keys), other.clock.now());
  expect([next.set.version, next.keys.version]).toEqual([2, 2]);
  expect(next.set.epoch).toBe(next.keys.epoch);
  // Whoever stands between plays what was signed before.
  expect(() => openFeed(root, next, held.feed, other.clock.now())).toThrow('it was made with older keys than we know');
  expect(() => openFeed(root, next, { ...held.feed, keys: held.feed.keys.slice(1) }, other.clock.now())).toThrow('older keys');
  // It stands in policies too, whose version stays as it was; and is higher each time.
  expect(await policyOf()).toMatchObject({ ...before, epoch: next.keys.epoch, issued: expect.any(String) });
  expect(await sets.raiseEpoch()).toBeGreaterThan(next.keys.epoch);
  expect(
    (await other.call(`GET /agent/policy?known=9&known_definitions=99&known_epoch=${next.keys.epoch}&wait=25`, { token: agent })).status,
  ).toBe(200);
  expect((await other.call(`GET /web/devices/${uuid}`, { token })).status).toBe(200);
});

test('P14.1: an agent that knows of no epochs waits for news after the database was put back; one that says an older epoch hears at once', async () => {
  const { other, sets } = await serverWithStore();
  const { token } = await person(other);
  const [older, newer] = [await linkedDevice(other, token, 'A'), await linkedDevice(other, token, 'B')];
  await sets.raiseEpoch();
  const ask = async (agent: string, more = '') => {
    const answer = (await other.call(`GET /agent/policy?known=9&known_definitions=99${more}&wait=25`, { token: agent })).body;
    return devicePolicy.parse(JSON.parse(String(answer.policy?.payload)));
  };
  const waits = ask(older.agent);
  // This one is not woken: it is answered at once, or the test gives up.
  expect((await ask(newer.agent, '&known_epoch=1')).policy.uuid).toBe('strict');
  await other.call(`POST /web/devices/${older.uuid}`, { token, body: { name: 'A', policy: 'permissive' } });
  expect((await waits).policy.uuid).toBe('permissive');
});

test('A12: keys for policies and links are changed beside a running server, whose next policy and link are signed with them', async () => {
  const { other, sets } = await serverWithStore();
  const { token } = await person(other);
  const { agent } = await linkedDevice(other, token);
  const { root, first } = await (async () => {
    const { keys } = (await other.call('GET /agent/server')).body;
    return { root: String(keys?.definitions), first: { policy: String(keys?.policy), link: String(keys?.link) } };
  })();
  const listNow = async () => followKeys(root, (await other.call('GET /agent/keys')).body.keys as unknown as SignedDocument[]).keys;
  const good = async (purpose: 'policy' | 'link') => goodKeys(await listNow(), purpose, first[purpose], other.clock.now());
  expect([await good('policy'), await good('link')]).toEqual([[first.policy], [first.link]]);

  await sets.rotateKey('policy', { stolen: true });
  const [policyKey] = await good('policy');
  expect([policyKey === first.policy, await good('link')]).toEqual([false, [first.link]]);
  expect((await good('policy')).length).toBe(1);
  const policy = (await other.call('GET /agent/policy', { token: agent })).body.policy as unknown as SignedDocument;
  expect(openDocument(policy, String(policyKey), devicePolicy)?.device).toBeTruthy();

  const { body: before } = await other.call('POST /web/create-device', { token, body: { name: 'B', policy: null } });
  await sets.rotateKey('link', { stolen: false });
  const { body: after } = await other.call('POST /web/create-device', { token, body: { name: 'C', policy: null } });
  const signer = async (link: typeof before, keys: string[]) =>
    keys.findIndex((key) => verifyText(String(link.link_uri), String(link.link_uri_signature), key));
  const links = await good('link');
  expect([await signer(after, links), await signer(before, links), links[1]]).toEqual([0, 1, first.link]);
  other.clock.turn(7 * day);
  expect(await good('link')).toEqual([links[0]]);
});

test('[P14.1] A12: the operator raises the epoch and changes each key by a command; what is typed wrong changes nothing', {
  timeout: 180_000,
}, async () => {
  const { other } = await serverWithStore();
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = String((await other.call('GET /agent/server')).body.keys?.definitions);
  const chainNow = async () => followKeys(root, (await other.call('GET /agent/keys')).body.keys as unknown as SignedDocument[]);
  const file = join(folder, 'statement.json');
  const [a, b, c] = [newKeyPair(), newKeyPair(), newKeyPair()];
  const run = (...words: string[]) => porchlight(words, { DATABASE_URL: other.database_url, SECRET_KEY: secret });
  const rotateTo = async (statement: unknown) => {
    await writeFile(file, JSON.stringify(statement));
    return run('keys', 'rotate-release', '--statement', file);
  };
  expect(await rotateTo(signReleaseKey(b.public_key, new Date(), a))).toMatchObject({ code: 0, err: '' });
  const after = await chainNow();
  expect([releaseKeyAfter(a.public_key, after.lists), releaseKeyAfter(c.public_key, after.lists)]).toEqual([b.public_key, c.public_key]);
  expect(await rotateTo(signReleaseKey(c.public_key, new Date(), a))).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('does not follow'),
  });
  expect(await rotateTo({ ...signReleaseKey(c.public_key, new Date(), b), signature: 'x' })).toMatchObject({ code: 2, out: '' });
  expect(await run('keys', 'rotate-link', '--why')).toMatchObject({ code: 2, out: '' });
  expect((await chainNow()).documents).toEqual(after.documents);
  expect(await run('keys', 'rotate-link', '--stolen')).toMatchObject({ code: 0, out: expect.stringContaining('not taken any more') });
  expect(await run('epoch', 'raise')).toMatchObject({ code: 0, out: expect.stringMatching(/^The epoch is \d{10}\. Agents take /) });
  const { keys } = await chainNow();
  expect([keys.link.length, keys.version, keys.epoch > 1_700_000_000]).toEqual([1, after.keys.version + 2, true]);
});
