import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { checkPart, type OpenFeed, openFeed, readCataloguePart } from '@porchlight/definitions/feed.ts';
import type { FeedPart } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes } from '@porchlight/definitions/feed-make.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { applySiteDelta } from '@porchlight/definitions/sites/site-delta.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sealer } from '../../lib/seal.ts';
import { porchlight } from '../../testing/command.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { definitionStore } from './store.ts';

const day = 86_400_000;
const catalogue = readCatalogue().slice(0, 3);
let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, catalogue);
});
afterAll(() => server.close());

const rootNow = async () => String((await server.call('GET /agent/server')).body.keys?.definitions);
const feedFor = async (known_keys = 0) =>
  (await server.call(`GET /agent/free-plan?known_keys=${known_keys}`)).body.definitions as unknown as SignedFeed;
const open = async (pinned: string, held: OpenFeed | null = null) =>
  openFeed(pinned, held, await feedFor(held?.keys.version), server.clock.now());
const part = async ({ sha256, length }: FeedPart) => {
  const { rawPayload, statusCode, headers } = await server.app.http.inject({ method: 'GET', url: `/api/definitions/parts/${sha256}` });
  expect(statusCode).toBe(200);
  expect(headers['cache-control']).toContain('immutable');
  return checkPart(rawPayload, { sha256, length });
};
const asPublished = (definitions: Definition[]) =>
  (JSON.parse(Buffer.from(catalogueBytes(definitions)).toString('utf8')) as { definitions: Definition[] }).definitions;
/** As another server of the same operator, or the operator by hand. */
const store = () => definitionStore(server.db, server.clock, sealer('a secret key for tests, thirty-two characters'));

test('[P4.2] an agent gets signed documents, and parts that are what was signed; a device and a guest get the same', async () => {
  const root = await rootNow();
  const { set } = await open(root);
  expect(set).toMatchObject({ version: 1, keys_version: 1, sites: null });
  expect(readCataloguePart(await part(set.catalogue), set).definitions).toEqual(asPublished(catalogue));
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  expect((await server.call('GET /agent/definitions', { token: agent })).body).toEqual(await feedFor());
  expect((await server.call('GET /agent/definitions?known_keys=1', { token: agent })).body.keys).toEqual([]);
  expect((await server.call(`GET /definitions/parts/${'0'.repeat(64)}`)).status).toBe(404);
  expect((await server.call('GET /definitions/parts/everything')).status).toBe(404);
});

test('a second server with the same catalogue publishes no new version, and one with another list publishes the change to it', async () => {
  const root = await rootNow();
  expect(await store().publish({ definitions: catalogue })).toBe(1);
  const lists = Array.from({ length: 13 }, (_, n) => buildSiteList(['evil.test', `evil-${n}.test`]));
  for (const sites of lists) await store().publish({ sites });
  const { set } = await open(root);
  expect(set.version).toBe(14);
  expect(set.deltas).toHaveLength(10);
  const newest = await part(set.sites as FeedPart);
  expect(Buffer.compare(newest, lists[12] as Uint8Array)).toBe(0);
  for (const [n, delta] of set.deltas.toReversed().entries()) {
    expect(Buffer.compare(applySiteDelta(lists[2 + n] as Uint8Array, await part(delta)), newest)).toBe(0);
  }
  await store().publish({ definitions: catalogue.slice(0, 2) });
  const after = await open(root);
  expect(after.set.sites).toEqual(set.sites);
  expect(after.set.deltas.slice(0, 9)).toEqual(set.deltas.slice(0, 9));
  // Old parts go, but not under the hands of an agent that is fetching them.
  const parts = async () =>
    Number(
      (
        await server.db
          .selectFrom('feed_parts')
          .select((q) => q.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const before = await parts();
  server.clock.turn(2 * day);
  await store().publish({ definitions: catalogue });
  expect(await parts()).toBeLessThan(before - 2);
  await part((await open(root)).set.sites as FeedPart);
});

test('what waits for news hears of a new version at once', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const now = (await server.call('GET /agent/policy', { token: agent })).body;
  const { version } = JSON.parse(String(now.policy?.payload)) as { version: number };
  const waiting = server.call(`GET /agent/policy?known=${version}&known_definitions=${now.definitions_version}&wait=25`, { token: agent });
  const begun = performance.now();
  const published = await store().publish({ definitions: catalogue.slice(1) });
  expect((await waiting).body.definitions_version).toBe(published);
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('a set and a list of keys are signed anew before they end, also when nothing is new', async () => {
  const root = await rootNow();
  const { set, keys } = await open(root);
  expect(await store().publish({})).toBe(set.version);
  server.clock.turn(16 * day);
  expect(await store().publish({})).toBe(set.version + 1);
  server.clock.turn(310 * day);
  await store().publish({});
  const renewed = await open(root);
  expect(renewed.keys.version).toBe(keys.version + 1);
  expect(Date.parse(renewed.keys.expires)).toBeGreaterThan(server.clock.now().getTime() + 300 * day);
});

test('five steps of rotation by the operator, and an agent that slept through them catches up', async () => {
  const other = await testServer({}, catalogue);
  onTestFinished(() => other.close());
  const env = { DATABASE_URL: other.database_url, SECRET_KEY: 'a secret key for tests, thirty-two characters' };
  const rootNow = async () => String((await other.call('GET /agent/server')).body.keys?.definitions);
  const feedFor = async (known_keys = 0) =>
    (await other.call(`GET /agent/free-plan?known_keys=${known_keys}`)).body.definitions as unknown as SignedFeed;
  const root = await rootNow();
  const asleep = openFeed(root, null, await feedFor(), new Date());
  const keysIn = async () =>
    (await other.db.selectFrom('server_keys').select(['purpose', 'public_key']).orderBy('purpose').execute()).map((k) => k.public_key);
  const before = await keysIn();
  const steps = ['rotate-signing-key', 'rotate-signing-key', 'rotate-root', 'rotate-signing-key', 'rotate-root'];
  let awake = asleep;
  for (const step of steps) {
    const { code, out, err } = await porchlight(['definitions', step], env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Version');
    awake = openFeed(root, awake, await feedFor(awake.keys.version), new Date());
  }
  const caughtUp = openFeed(root, asleep, await feedFor(asleep.keys.version), new Date());
  expect(caughtUp).toEqual(awake);
  expect(caughtUp.set.version).toBe(asleep.set.version + steps.length);
  const after = await keysIn();
  expect(after.filter((key) => before.includes(key))).toHaveLength(before.length - 2);
  const newRoot = await rootNow();
  expect(newRoot).not.toBe(root);
  expect(openFeed(newRoot, null, await feedFor(), new Date()).set).toEqual(caughtUp.set);
  const status = await porchlight(['definitions', 'status'], env);
  expect(status.out).toContain(`Version ${caughtUp.set.version}`);
});

test('what we recognise is public, by name, with an ETag', async () => {
  await store().publish({ definitions: catalogue });
  const { status, headers, body } = await server.call('GET /definitions/families.json');
  expect(status).toBe(200);
  const families = body as unknown as { name: string }[];
  expect(families.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name).sort());
  expect(families[0]).toEqual({
    identifier: catalogue[0]?.identifier,
    name: catalogue[0]?.name,
    aliases: catalogue[0]?.aliases,
    category: catalogue[0]?.category,
    ...catalogue[0]?.help,
  });
  const again = await server.call('GET /definitions/families.json', { headers: { 'if-none-match': String(headers.etag) } });
  expect(again.status).toBe(304);
});
