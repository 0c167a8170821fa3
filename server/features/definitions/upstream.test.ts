import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { day, hour } from '@porchlight/contract/time.ts';
import { openFeed, readCataloguePart } from '@porchlight/definitions/feed.ts';
import type { FirstList } from '@porchlight/definitions/first-list.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { definitionWith } from '@porchlight/definitions/testing/definition-with.ts';
import { shippedCatalogue } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { expect, onTestFinished, test } from 'vitest';
import { porchlight } from '../../testing/command.ts';
import { publishedFeed } from '../../testing/published-feed.ts';
import { sitesOf } from '../../testing/published-sites.ts';
import { testServer } from '../../testing/world.ts';

const shipped = shippedRecognition(shippedCatalogue());
const unfetched = {
  name: 'A list',
  home: 'https://lists.example.org',
  file: 'x',
  licence: 'MIT',
  copyright: null,
  as_of: '2026-11-20',
  lists: [],
};
const smallFirst = (): FirstList => {
  const bytes = buildSiteList(Array.from({ length: 10 }, (_, n) => `old-${n}.example`));
  return { bytes, marks: new Uint16Array(10).fill(1), as_of: new Date('2026-11-20'), sources: [unfetched] };
};
const secret = 'a secret key for tests, thirty-two characters';

/** A server with a feed that begins with what it ships. `runs`: a command where it runs. */
async function serverWithFeed(first: Recognition | null = shipped, env: Record<string, string> = {}) {
  let now = () => new Date('2026-11-21T14:05:00.000Z');
  const feed = await publishedFeed(() => now());
  onTestFinished(feed.close);
  if (first) feed.publish(1, first);
  const server = await testServer({ ...feed.env, ...env }, shippedCatalogue(), { firstList: smallFirst });
  onTestFinished(() => server.close());
  now = server.clock.now;
  await server.app.worker.idle();
  const ownEnv = { DATABASE_URL: server.database_url, DATA_DIR: server.config.data_dir, SECRET_KEY: secret, ...feed.env };
  const runs = (...args: string[]) => porchlight(args, ownEnv, server.clock);
  /** What agents get now. */
  const recognized = async (): Promise<Recognition> => {
    const root = String((await server.call('GET /agent/server')).body.keys?.definitions);
    const signed = (await server.call('GET /agent/free-plan')).body.definitions as unknown as SignedFeed;
    const { set } = openFeed(root, null, signed, server.clock.now());
    const { rawPayload } = await server.app.http.inject({ method: 'GET', url: `/api/definitions/parts/${set.catalogue.sha256}` });
    return readCataloguePart(rawPayload, set);
  };
  return {
    ...{ server, feed, runs, recognized },
    knows: async (identifier: string) => (await recognized()).definitions.some((one) => one.identifier === identifier),
    nextDay: async () => {
      server.clock.turn(day);
      await server.app.worker.idle();
    },
    status: async () => (await runs('definitions', 'status')).out,
  };
}
const tool = (identifier: string) => definitionWith(identifier, { programs: { names: [{ os: 'windows', name: `${identifier}.exe` }] } });
const plus = (...identifiers: string[]): Recognition => ({ ...shipped, definitions: [...shipped.definitions, ...identifiers.map(tool)] });

test('[P16.1] what the project publishes reaches agents with the next daily fetch, and what it takes away leaves them', async () => {
  const { feed, server, runs, knows, nextDay, status } = await serverWithFeed();
  expect(await knows('brand-new-desk')).toBe(false);
  feed.publish(2, plus('brand-new-desk', 'other-new-desk'));
  await nextDay();
  expect([await knows('brand-new-desk'), await knows('other-new-desk'), await knows('anydesk')]).toEqual([true, true, true]);
  expect(await status()).toContain('/feed: set 2 of 2026-11-21T14:05:00.000Z is in force, as of 2026-11-22');
  feed.publish(3, plus('other-new-desk'));
  await runs('definitions', 'fetch');
  await server.app.worker.idle();
  expect([await knows('brand-new-desk'), await knows('other-new-desk')]).toEqual([false, true]);
});

test('[P16.1] [P16.4] a list of sites in the feed takes the place of the first list, for as long as a first list counts', async () => {
  const { feed, server, nextDay } = await serverWithFeed(shipped, { SITE_LISTS: 'first' });
  const names = (from: number) => Array.from({ length: 40 }, (_, n) => `scam-${from + n}.example`);
  expect([(await sitesOf(server)).has('old-0.example'), (await sitesOf(server)).has('scam-0.example')]).toEqual([true, false]);
  feed.publish(2, shipped, { sites: buildSiteList(names(0)) });
  await nextDay();
  expect([(await sitesOf(server)).size, (await sitesOf(server)).has('scam-0.example')]).toEqual([40, true]);
  feed.publish(3, shipped, { sites: buildSiteList(names(1)) });
  await nextDay();
  expect([(await sitesOf(server)).has('scam-0.example'), (await sitesOf(server)).has('scam-40.example')]).toEqual([false, true]);
});

test('[P16.1] its host hears an address and nothing else: no query, no cookie, no name of this server', async () => {
  const { feed, server, nextDay } = await serverWithFeed();
  await nextDay();
  expect(feed.asked.map(({ path }) => path)).toEqual([
    '/feed/feed.json',
    expect.stringMatching(/^\/feed\/parts\/[0-9a-f]{64}$/),
    '/feed/feed.json',
  ]);
  for (const { headers } of feed.asked) {
    expect(Object.keys(headers).filter((name) => !['host', 'connection', 'user-agent', 'if-none-match'].includes(name))).toEqual([]);
    expect(headers['user-agent']).toBe('Porchlight');
    expect(JSON.stringify(headers)).not.toContain(new URL(server.config.public_url).host);
  }
});

test('[P16.1] a feed that is away leaves the last set in force, is tried again within the hour, and a restart keeps what was fetched', async () => {
  const { feed, server, knows, nextDay, status } = await serverWithFeed(plus('brand-new-desk'));
  expect(await knows('brand-new-desk')).toBe(true);
  feed.away(true);
  await nextDay();
  expect(await status()).toContain('its server answered 503');
  const other = await testServer(feed.env, shippedCatalogue(), { otherServer: server });
  onTestFinished(() => other.close());
  expect(await knows('brand-new-desk')).toBe(true);
  feed.away(false);
  feed.publish(2, plus('brand-new-desk', 'newest-desk'));
  server.clock.turn(hour);
  await server.app.worker.idle();
  expect([await knows('brand-new-desk'), await knows('newest-desk')]).toEqual([true, true]);
});

test.each<[about: string, reason: string, bad: (feed: Awaited<ReturnType<typeof publishedFeed>>) => void]>([
  ['an older set', 'they are older than ours', (feed) => feed.publish(1, plus('bad-desk'))],
  ['a set that another key signed', 'not signed by', (feed) => feed.publish(3, plus('bad-desk'), { key: newKeyPair() })],
  ['no feed at all', 'it is not a feed', (feed) => feed.files.set('/feed/feed.json', Buffer.from('<html>Not found</html>'))],
  [
    'a file that is not what was signed',
    'a part is not what was signed',
    (feed) => {
      feed.publish(3, plus('bad-desk'));
      for (const [path, bytes] of feed.files) if (path.includes('/parts/')) feed.files.set(path, Buffer.from(bytes).fill('x', 0, 3));
    },
  ],
  [
    'a file that is missing',
    'its server answered 404',
    (feed) => {
      feed.publish(3, plus('bad-desk'));
      for (const path of feed.files.keys()) if (path.includes('/parts/')) feed.files.delete(path);
    },
  ],
])('[P16.1] %s is refused in words, and the last good set stays in force', async (_about, reason, bad) => {
  const { feed, knows, nextDay, status } = await serverWithFeed();
  feed.publish(2, plus('good-desk'));
  await nextDay();
  bad(feed);
  await nextDay();
  expect([await knows('good-desk'), await knows('bad-desk')]).toEqual([true, false]);
  expect(await status()).toContain(reason);
  feed.publish(4, plus('good-desk', 'better-desk'));
  await nextDay();
  expect(await knows('better-desk')).toBe(true);
});

test('[P16.1] a set that loses much is refused until the operator accepts it; the acceptance is of that set alone', async () => {
  const { feed, server, runs, recognized, nextDay, status } = await serverWithFeed();
  const few = (n: number): Recognition => ({ ...shipped, definitions: shipped.definitions.slice(0, n) });
  feed.publish(2, few(120));
  await nextDay();
  expect((await recognized()).definitions).toHaveLength(shipped.definitions.length);
  expect(await status()).toContain('definitions accept-feed');
  expect((await runs('definitions', 'accept-feed')).out).toContain('taken at the next fetch');
  feed.publish(3, few(60));
  await nextDay();
  expect((await recognized()).definitions).toHaveLength(shipped.definitions.length);
  await runs('definitions', 'accept-feed');
  await server.app.worker.idle();
  expect((await recognized()).definitions).toHaveLength(60);
  expect((await runs('definitions', 'accept-feed')).err).toContain('No set waits');
});

test('[P16.1] a set that would block a bank is refused although the operator accepts it, and an innocent one after it is taken', async () => {
  const { feed, server, runs, knows, nextDay, status } = await serverWithFeed();
  const harmful = definitionWith('bad-scam', { category: 'ScamWebsite', domains: ['chase.com'] });
  feed.publish(2, { ...shipped, definitions: [...shipped.definitions, harmful] });
  await nextDay();
  await runs('definitions', 'accept-feed');
  await server.app.worker.idle();
  expect(await knows('bad-scam')).toBe(false);
  expect(await status()).toContain('bad-scam would block chase.com, which people need.');
  feed.publish(3, plus('good-desk'));
  await nextDay();
  expect(await knows('good-desk')).toBe(true);
});

test('[P16.1] one command takes a bad set back: the one before is in force at once, the bad one never again, and a newer one is taken', async () => {
  const { feed, runs, knows, nextDay, status } = await serverWithFeed(plus('good-desk'));
  feed.publish(2, plus('good-desk', 'bad-desk'));
  await nextDay();
  expect(await knows('bad-desk')).toBe(true);
  expect((await runs('definitions', 'take-back')).out).toContain('Set 2 is taken back; set 1 is in force again.');
  expect([await knows('good-desk'), await knows('bad-desk')]).toEqual([true, false]);
  await nextDay();
  expect([await knows('good-desk'), await knows('bad-desk')]).toEqual([true, false]);
  expect(await status()).toContain('Set 2 was taken back');
  feed.publish(3, plus('good-desk', 'newest-desk'));
  await nextDay();
  expect([await knows('newest-desk'), await knows('bad-desk')]).toEqual([true, false]);
});

test('[P16.1] a set older than 30 days gives way to what a newer version of the server ships, and to nothing else', async () => {
  const { feed, server, knows } = await serverWithFeed(plus('brand-new-desk'));
  feed.away(true);
  server.clock.turn(31 * day);
  await server.app.worker.idle();
  const same = await testServer(feed.env, shippedCatalogue(), { otherServer: server });
  onTestFinished(() => same.close());
  same.clock.turn(31 * day);
  await same.app.worker.idle();
  expect(await knows('brand-new-desk')).toBe(true);
  const newer = await testServer(feed.env, [...shippedCatalogue(), tool('shipped-desk')], { otherServer: server });
  onTestFinished(() => newer.close());
  newer.clock.turn(32 * day);
  await newer.app.worker.idle();
  expect([await knows('brand-new-desk'), await knows('shipped-desk')]).toEqual([false, true]);
});
