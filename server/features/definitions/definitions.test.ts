import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { checkPart, type OpenFeed, openFeed, readCataloguePart } from '@porchlight/definitions/feed.ts';
import { type FeedPart, partMax } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes } from '@porchlight/definitions/feed-make.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { readRecognition } from '@porchlight/definitions/recognition.ts';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { applySiteDelta } from '@porchlight/definitions/sites/site-delta.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../db/open.ts';
import { sealer } from '../../secrets/seal.ts';
import { porchlight } from '../../testing/command.ts';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';
import { definitionStore } from './store.ts';

const catalogue = readCatalogue().slice(0, 3);
const secret = 'a secret key for tests, thirty-two characters';
let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, catalogue);
});
afterAll(() => server.close());

const rootNow = async () => String((await server.call('GET /agent/server')).body.keys?.definitions);
const feedFor = async (knownKeysVersion = 0) =>
  (await server.call(`GET /agent/free-plan?known_keys=${knownKeysVersion}`)).body.definitions as unknown as SignedFeed;
const openFeedFrom = async (pinned: string, stored: OpenFeed | null = null) =>
  openFeed(pinned, stored, await feedFor(stored?.keys.version), server.clock.now());
const fetchPart = async ({ sha256, length }: FeedPart) => {
  const { rawPayload, statusCode, headers } = await server.app.http.inject({ method: 'GET', url: `/api/definitions/parts/${sha256}` });
  expect(statusCode).toBe(200);
  expect(headers['cache-control']).toContain('immutable');
  return checkPart(rawPayload, { sha256, length });
};
const asPublished = (definitions: Definition[]) => readRecognition(catalogueBytes(shippedRecognition(definitions))).definitions;
/** A definition store as in a second server of this operator, or as in the command line. */
const store = () => definitionStore(server.db, server.clock, sealer(secret));

test('[P4.2] agents on devices and in the free plan get the same signed documents, whose parts match their hashes', async () => {
  const root = await rootNow();
  const { set } = await openFeedFrom(root);
  expect(set).toMatchObject({ version: 1, keys_version: 1, sites: null });
  expect(readCataloguePart(await fetchPart(set.catalogue), set).definitions).toEqual(asPublished(catalogue));
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  expect((await server.call('GET /agent/definitions', { token: agent })).body).toEqual(await feedFor());
  expect((await server.call('GET /agent/definitions?known_keys=1', { token: agent })).body.keys).toEqual([]);
  expect((await server.call(`GET /definitions/parts/${'0'.repeat(64)}`)).status).toBe(404);
  expect((await server.call('GET /definitions/parts/everything')).status).toBe(404);
});

test('a second server with the same catalogue publishes no new version; a new site list is published with deltas', async () => {
  const root = await rootNow();
  expect(await store().publish({ recognition: shippedRecognition(catalogue) })).toBe(1);
  const lists = Array.from({ length: 13 }, (_, n) => buildSiteList(['evil.test', `evil-${n}.test`]));
  for (const sites of lists) await store().publish({ sites });
  const { set } = await openFeedFrom(root);
  expect(set.version).toBe(14);
  expect(set.deltas).toHaveLength(10);
  const newest = await fetchPart(set.sites as FeedPart);
  expect(Buffer.compare(newest, lists[12] as Uint8Array)).toBe(0);
  for (const [n, delta] of set.deltas.toReversed().entries()) {
    expect(Buffer.compare(applySiteDelta(lists[2 + n] as Uint8Array, await fetchPart(delta)), newest)).toBe(0);
  }
  await store().publish({ recognition: shippedRecognition(catalogue.slice(0, 2)) });
  const newFeed = await openFeedFrom(root);
  expect(newFeed.set.sites).toEqual(set.sites);
  expect(newFeed.set.deltas.slice(0, 9)).toEqual(set.deltas.slice(0, 9));
  // Old parts of definitions are deleted, but not while an agent may be fetching them.
  const partCount = async () =>
    Number(
      (
        await server.db
          .selectFrom('feed_parts')
          .select((q) => q.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const countBefore = await partCount();
  server.clock.turn(2 * day);
  await store().publish({ recognition: shippedRecognition(catalogue) });
  expect(await partCount()).toBeLessThan(countBefore - 2);
  await store().publish({ sites: buildSiteList(['evil.test', 'newest.test']) });
  const { deltas } = (await openFeedFrom(root)).set;
  expect(deltas.length).toBeGreaterThan(5);
  for (const delta of deltas) await fetchPart(delta);
});

test('a waiting agent gets a new version of the definitions immediately', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const waiting = nextPolicyOf(server, agent, await policyOf(server, agent));
  const published = await store().publish({ recognition: shippedRecognition(catalogue.slice(1)) });
  expect((await waiting).definitions).toBe(published);
});

test('a transaction that has the last connection reads the definitions, although another reader waits for that connection', async () => {
  const { db, close } = openDb(server.database_url, 1);
  onTestFinished(close);
  const withOneConnection = definitionStore(db, server.clock, sealer(secret));
  // Between its two statements, the first reader gives the connection to the transaction.
  const beside = withOneConnection.inForce();
  const within = await db.transaction().execute(withOneConnection.inForce);
  expect(within.length).toBeGreaterThan(0);
  expect(await beside).toEqual(within);
});

test('the definition set and the key list are re-signed before they expire, even without changes', async () => {
  const root = await rootNow();
  const { set, keys } = await openFeedFrom(root);
  expect(await store().publish({})).toBe(set.version);
  server.clock.turn(16 * day);
  expect(await store().publish({})).toBe(set.version + 1);
  server.clock.turn(310 * day);
  await store().publish({});
  const renewed = await openFeedFrom(root);
  expect(renewed.keys.version).toBe(keys.version + 1);
  expect(Date.parse(renewed.keys.expires)).toBeGreaterThan(server.clock.now().getTime() + 300 * day);
});

test('an agent that was offline during five key rotations catches up', async () => {
  const otherServer = await testServer({}, catalogue);
  onTestFinished(() => otherServer.close());
  const env = { DATABASE_URL: otherServer.database_url, SECRET_KEY: secret };
  const rootNow = async () => String((await otherServer.call('GET /agent/server')).body.keys?.definitions);
  const feedFor = async (knownKeysVersion = 0) =>
    (await otherServer.call(`GET /agent/free-plan?known_keys=${knownKeysVersion}`)).body.definitions as unknown as SignedFeed;
  const root = await rootNow();
  const offlineFeed = openFeed(root, null, await feedFor(), new Date());
  const keysIn = async () =>
    (await otherServer.db.selectFrom('server_keys').select(['purpose', 'public_key']).orderBy('purpose').execute()).map(
      (k) => k.public_key,
    );
  const keysBefore = await keysIn();
  const commands = ['rotate-signing-key', 'rotate-signing-key', 'rotate-root', 'rotate-signing-key', 'rotate-root'];
  let onlineFeed = offlineFeed;
  for (const command of commands) {
    const { code, out, err } = await porchlight(['definitions', command], env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Version');
    onlineFeed = openFeed(root, onlineFeed, await feedFor(onlineFeed.keys.version), new Date());
  }
  const caughtUp = openFeed(root, offlineFeed, await feedFor(offlineFeed.keys.version), new Date());
  expect(caughtUp).toEqual(onlineFeed);
  expect(caughtUp.set.version).toBe(offlineFeed.set.version + commands.length);
  const keysAfter = await keysIn();
  expect(keysAfter.filter((key) => keysBefore.includes(key))).toHaveLength(keysBefore.length - 2);
  const newRoot = await rootNow();
  expect(newRoot).not.toBe(root);
  expect(openFeed(newRoot, null, await feedFor(), new Date()).set).toEqual(caughtUp.set);
  const status = await porchlight(['definitions', 'status'], env);
  expect(status.out).toContain(`Version ${caughtUp.set.version}`);
});

test('[P16.1] which website may rest follows the set in force: what a bank of a newer set is below may not any more, and others may as before', async () => {
  const { token } = await newcomer(server);
  const statusesOf = async (...sites: string[]) => {
    const statuses: number[] = [];
    for (const site of sites)
      statuses.push((await server.call('PATCH /web/unlisted-protection', { token, body: { money_sites: [site] } })).status);
    return statuses;
  };
  expect(await statusesOf('parent.example', 'village.example')).toEqual([200, 200]);
  const recognition = shippedRecognition(catalogue);
  const money = [...recognition.money, { kind: 'bank' as const, domains: ['online.parent.example'] }];
  await store().publish({ recognition: { ...recognition, money } });
  expect(await statusesOf('parent.example', 'online.parent.example', 'village.example', 'google.com')).toEqual([422, 200, 200, 422]);
});

test('[P16.1] the status says what one agent fetches on a day on which both what is recognised and the list of sites changed once', async () => {
  const env = { DATABASE_URL: server.database_url, SECRET_KEY: secret };
  for (const names of [['evil.test'], ['evil.test', 'worse.test']]) await store().publish({ sites: buildSiteList(names) });
  const { set } = await openFeedFrom(await rootNow());
  const [bytes, delta = 0] = [set.catalogue.length, set.deltas[0]?.length];
  expect(delta).toBeGreaterThan(0);
  const { out } = await porchlight(['definitions', 'status'], env);
  expect(out).toContain(`What is recognised has ${bytes} bytes, the newest change of the list of sites ${delta}.`);
  expect(out).toContain(`an agent fetches ${bytes + delta} bytes; none of its files may have more than ${partMax}.`);
});

test('the recognised definitions are public, with names and an ETag', async () => {
  await store().publish({ recognition: shippedRecognition(catalogue) });
  const { status, headers, body } = await server.call('GET /definitions/families.json');
  expect(status).toBe(200);
  const families = body as unknown as { name: string }[];
  expect(families.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name).sort());
  expect(families[0]).toEqual({
    identifier: catalogue[0]?.identifier,
    name: catalogue[0]?.name,
    aliases: catalogue[0]?.aliases,
    category: catalogue[0]?.category,
    has_client: false,
    ...catalogue[0]?.help,
  });
  const cachedReply = await server.call('GET /definitions/families.json', { headers: { 'if-none-match': String(headers.etag) } });
  expect(cachedReply.status).toBe(304);
});
