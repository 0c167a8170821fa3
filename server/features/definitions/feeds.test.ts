import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { openFeed } from '@porchlight/definitions/feed.ts';
import { readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, onTestFinished, test } from 'vitest';
import { porchlight } from '../../testing/command.ts';
import { type ListServer, listServer } from '../../testing/list-server.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const day = 86_400_000;
const names = (n: number, first = 0) => Array.from({ length: n }, (_, at) => `evil-${first + at}.top`).join('\n');

async function serverWithLists(...lists: (ListServer | string)[]): Promise<TestServer> {
  const server = await testServer({ SITE_LISTS: lists.map((list) => (typeof list === 'string' ? list : list.url)).join(',') }, []);
  onTestFinished(() => server.close());
  await server.app.worker.idle();
  return server;
}

async function sitesOf(server: TestServer) {
  const root = String((await server.call('GET /agent/server')).body.keys?.definitions);
  const feed = (await server.call('GET /agent/free-plan')).body.definitions as unknown as SignedFeed;
  const { set } = openFeed(root, null, feed, server.clock.now());
  if (!set.sites) return { version: set.version, size: 0, has: () => false };
  const { rawPayload } = await server.app.http.inject({ method: 'GET', url: `/api/definitions/parts/${set.sites.sha256}` });
  const list = readSiteList(rawPayload);
  return { version: set.version, size: list.size, has: list.has };
}

const nextDay = async (server: TestServer) => {
  server.clock.turn(day);
  await server.app.worker.idle();
};
const status = async (server: TestServer) =>
  (
    await porchlight(['definitions', 'status'], {
      DATABASE_URL: server.database_url,
      SECRET_KEY: 'a secret key for tests, thirty-two characters',
    })
  ).out;

test('site lists are fetched immediately and then daily, merged, and published when changed', async () => {
  const [plainServer, adblockServer] = [await listServer(names(3)), await listServer('||worse.top^\n@@||evil-1.top^\n')];
  adblockServer.has('||worse.top^\n@@||evil-1.top^\n', { etag: '"one"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' });
  const server = await serverWithLists(plainServer, `${adblockServer.url}|adblock`);
  const firstSites = await sitesOf(server);
  expect([firstSites.size, firstSites.has('www.worse.top'), firstSites.has('evil-0.top'), firstSites.has('evil-1.top')]).toEqual([
    3,
    true,
    true,
    false,
  ]);

  adblockServer.answer = (response) => void response.writeHead(304).end();
  await nextDay(server);
  expect(adblockServer.asked.at(-1)).toMatchObject({ 'if-none-match': '"one"', 'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' });
  expect((await sitesOf(server)).version).toBe(firstSites.version);

  plainServer.has(names(4));
  await nextDay(server);
  expect(await sitesOf(server)).toMatchObject({ version: firstSites.version + 1, size: 4 });
  expect(plainServer.asked).toHaveLength(3);
  expect(await status(server)).toContain(`${plainServer.url}: 4 sites, as of 2026-11-23`);
});

test.each<[string, string, (list: ListServer) => void]>([
  ['its server fails', 'answered 503', (list) => (list.answer = (response) => void response.writeHead(503).end())],
  [
    'it is cut off',
    'last try',
    (list) => (list.answer = (response) => void response.writeHead(200, { 'content-length': '99' }).write('x', () => response.destroy())),
  ],
  ['it is a page', 'it is a page', (list) => list.has(`<!DOCTYPE html>\n${names(9)}`)],
  ['it says that it is a page', 'it is a page', (list) => list.has(names(9), { 'content-type': 'text/html' })],
  ['it is empty', 'no site in it', (list) => list.has('# nothing today\n')],
  ['it has lost more than half', '4 sites, and had 9', (list) => list.has(names(4, 90))],
  ['it says that it is too large', 'larger than 1 MB', (list) => list.has('x', { 'content-length': String(2 ** 30) })],
  ['it turns out to be too large', 'larger than 1 MB', (list) => list.has(`${names(9)}\n${'# '.repeat(2 ** 20)}`)],
  [
    'it is redirected without end',
    'redirected more than 3 times',
    (list) => (list.answer = (response) => void response.writeHead(302, { location: list.url }).end()),
  ],
])('when %s, the last good list stays in force, and the operator can see the problem', async (_what, expectedProblem, breakServer) => {
  const list = await listServer(names(9));
  const server = await serverWithLists(list);
  const goodSites = await sitesOf(server);
  expect(goodSites.size).toBe(9);
  breakServer(list);
  await nextDay(server);
  expect(await sitesOf(server)).toMatchObject({ version: goodSites.version, size: 9 });
  expect(server.logged()).toContain('its last good state stays in force');
  expect(await status(server)).toContain(expectedProblem);
  list.has(names(5));
  await nextDay(server);
  expect((await sitesOf(server)).size).toBe(5);
});

test('a list that is no longer configured is removed', async () => {
  const list = await listServer(names(9));
  const server = await serverWithLists(list);
  expect((await sitesOf(server)).size).toBe(9);
  await server.db.updateTable('site_lists').set({ url: 'https://gone.example/list' }).execute();
  await nextDay(server);
  expect((await server.db.selectFrom('site_lists').select('url').execute()).map(({ url }) => url)).toEqual([list.url]);
});

test('a keep list protects its sites and their parent domains, and nothing is published before it was fetched', async () => {
  const list = await listServer('good-shop.com\nwww.good-bank.com\ngood-bank.com\nevil.top\nbad.good-bank.com\n');
  const keepServer = await listServer('');
  keepServer.answer = (response) => void response.writeHead(503).end();
  const server = await serverWithLists(list, `${keepServer.url}|keep`);
  expect((await sitesOf(server)).size).toBe(0);

  keepServer.has('1,www.good-bank.com\n2,good-shop.com\n');
  await nextDay(server);
  const sites = await sitesOf(server);
  const blocked = ['good-shop.com', 'www.good-bank.com', 'good-bank.com', 'evil.top', 'bad.good-bank.com'].filter((name) =>
    sites.has(name),
  );
  expect(blocked).toEqual(['evil.top', 'bad.good-bank.com']);
  expect(await status(server)).toContain(`${keepServer.url}: 4 sites`);
});
