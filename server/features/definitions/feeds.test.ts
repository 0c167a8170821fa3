import { day } from '@porchlight/contract/time.ts';
import type { DefaultList } from '@porchlight/definitions/default-lists.ts';
import { youngEntry } from '@porchlight/definitions/sites/young.ts';
import { expect, onTestFinished, test } from 'vitest';
import { porchlight } from '../../testing/command.ts';
import { type ListServer, listServer } from '../../testing/list-server.ts';
import { sitesOf } from '../../testing/published-sites.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const mostVisited =
  'google.com\nwww.google.com\nfacebook.com\nyoutube.com\namazon.com\nwikipedia.org\npaypal.com\nchase.com\nmicrosoft.com\napple.com\nnetflix.com\nyahoo.com';
const names = (n: number, first = 0) => Array.from({ length: n }, (_, at) => `evil-${first + at}.top`).join('\n');

async function serverWithLists(...lists: (ListServer | string)[]): Promise<TestServer> {
  const server = await testServer({ SITE_LISTS: lists.map((list) => (typeof list === 'string' ? list : list.url)).join(',') }, []);
  onTestFinished(() => server.close());
  await server.app.worker.idle();
  return server;
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
  // The list's server says that it is the newest one, however long ago it changed.
  expect(await status(server)).toContain(`${adblockServer.url}: 1 sites, as of 2026-11-22`);

  plainServer.has(names(4));
  await nextDay(server);
  expect(await sitesOf(server)).toMatchObject({ version: firstSites.version + 1, size: 4 });
  expect(plainServer.asked).toHaveLength(3);
  expect(await status(server)).toContain(`${plainServer.url}: 4 sites, as of 2026-11-23`);
});

test('[P16.3] a list of young sites blocks none of them, may name much visited ones, and leaves out what a keep list has', async () => {
  const [young, scams, keep] = [
    await listServer(`fresh.top\nopen-shop.top\n${mostVisited}`),
    await listServer('worse.top'),
    await listServer('open-shop.top'),
  ];
  const server = await serverWithLists(`${young.url}|young`, scams, `${keep.url}|keep`);
  const sites = await sitesOf(server);
  expect(['fresh.top', 'www.fresh.top', 'worse.top'].map(sites.has)).toEqual([false, false, true]);
  expect(['fresh.top', 'worse.top', 'open-shop.top'].map((site) => sites.has(youngEntry(site)))).toEqual([true, false, false]);
  young.has(names(40));
  await nextDay(server);
  expect(await status(server)).toContain('it has 40 sites, and had 2');
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
  ['it is ten times as long', '90 sites, and had 9, 10 times as many', (list) => list.has(names(90))],
  [
    'it blocks the most visited',
    'it would block 12 of the most visited sites, such as google.com',
    (list) => list.has(`${names(9)}\n${mostVisited}`),
  ],
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

test('a list with a few of the most visited sites among many others is taken without them', async () => {
  const list = await listServer(`${names(300)}\ngoogle.com\nfacebook.com\n`);
  const sites = await sitesOf(await serverWithLists(list));
  expect([sites.size, sites.has('google.com'), sites.has('evil-299.top')]).toEqual([300, false, true]);
});

test('a list that would block many names of a keep list is refused', async () => {
  const keepServer = await listServer(names(20, 500));
  const list = await listServer(names(30));
  const server = await serverWithLists(list, `${keepServer.url}|keep`);
  expect((await sitesOf(server)).size).toBe(30);
  list.has(`${names(30)}\n${names(12, 500)}`);
  await nextDay(server);
  expect((await sitesOf(server)).size).toBe(30);
  expect(await status(server)).toContain('it would block 12 of the most visited sites, such as evil-500.top');
});

test('the operator accepts another length of a list with a command, and other lists stay as they are', async () => {
  const [list, other] = [await listServer(names(9)), await listServer(names(9, 100))];
  const server = await serverWithLists(list, other);
  list.has(names(2));
  other.has(names(2, 100));
  await nextDay(server);
  expect((await sitesOf(server)).size).toBe(18);

  const env = { DATABASE_URL: server.database_url, SECRET_KEY: 'a secret key for tests, thirty-two characters' };
  const { code, out } = await porchlight(['definitions', 'accept-list', list.url], env);
  expect([code, out]).toEqual([0, `${list.url} is accepted with any number of sites at its next fetch, which is due now.\n`]);
  const due = await server.db.selectFrom('jobs').select('done_at').where('unique_key', 'like', 'feed:accepted:%').execute();
  expect(due).toEqual([{ done_at: null }]);
  // The command reads the clock of the system, which is ahead of the test's.
  await nextDay(server);
  const sites = await sitesOf(server);
  expect([sites.size, sites.has('evil-1.top'), sites.has('evil-5.top'), sites.has('evil-105.top')]).toEqual([11, true, false, true]);
  const unknown = await porchlight(['definitions', 'accept-list', 'https://nowhere.example/list'], env);
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('There is no list https://nowhere.example/list')]);
});

test('[P16.4] a list in JSON blocks the names that it denies, not those that it allows, and damaged JSON leaves the last good state', async () => {
  const list = await listServer('{"allow": ["good.dev"], "deny": ["evil.top", "worse.top"]}');
  const json: DefaultList = { url: list.url, format: 'deny', name: 'JSON', licence: 'MIT', purpose: 'for this test' };
  const server = await testServer({ SITE_LISTS: 'default' }, [], { defaultLists: [json] });
  onTestFinished(() => server.close());
  const blocked = async () => {
    await server.app.worker.idle();
    const sites = await sitesOf(server);
    return ['good.dev', 'evil.top', 'worse.top'].filter(sites.has);
  };
  expect(await blocked()).toEqual(['evil.top', 'worse.top']);
  list.has('{"deny": ["evil.top"');
  server.clock.turn(day);
  expect(await blocked()).toEqual(['evil.top', 'worse.top']);
  expect(await status(server)).toContain('it is not JSON with the names in "deny"');
});
