import { day, hour } from '@porchlight/contract/time.ts';
import type { DefaultList } from '@porchlight/definitions/default-lists.ts';
import { type FirstList, markSources } from '@porchlight/definitions/first-list.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, onTestFinished, test } from 'vitest';
import { porchlight } from '../../testing/command.ts';
import { type ListServer, listServer } from '../../testing/list-server.ts';
import { sitesOf } from '../../testing/published-sites.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const notFetched = {
  name: 'A list',
  home: 'https://lists.example.org',
  file: 'x',
  licence: 'MIT',
  copyright: null,
  as_of: '2026-11-01',
  lists: [],
};
const first = (...names: string[]): FirstList => {
  const bytes = buildSiteList(names);
  return { bytes, marks: markSources(bytes, [names]), as_of: new Date('2026-11-01'), sources: [notFetched] };
};

const defaultList = ({ url }: ListServer, format: DefaultList['format'], name: string): DefaultList => {
  return { url, format, name, licence: 'MIT', purpose: 'for this test' };
};

interface Given {
  env?: Record<string, string>;
  firstList?: FirstList;
  defaultLists?: DefaultList[];
  otherServer?: TestServer;
}
async function serverWith({
  env = { SITE_LISTS: 'default' },
  firstList = first('old.top', 'kept.com'),
  defaultLists = [],
  otherServer,
}: Given) {
  const server = await testServer(env, [], { firstList: () => firstList, defaultLists, ...(otherServer ? { otherServer } : {}) });
  onTestFinished(() => server.close());
  return server;
}

const unreachable = async (): Promise<ListServer> => {
  const list = await listServer();
  list.answer = (response) => response.destroy();
  return list;
};

const status = async ({ database_url }: TestServer) =>
  (await porchlight(['definitions', 'status'], { DATABASE_URL: database_url, SECRET_KEY: 'a secret key for tests, thirty-two characters' }))
    .out;

test('[P12.1] without settings and without internet, a server publishes the first list before any job has run', async () => {
  const list = await unreachable();
  const server = await serverWith({ defaultLists: [defaultList(list, 'plain', 'Scams'), defaultList(list, 'keep', 'Top')] });
  const sites = await sitesOf(server);
  expect([sites.size, sites.has('www.old.top'), sites.has('new.top')]).toEqual([2, true, false]);
  await server.app.worker.idle();
  expect(await sitesOf(server)).toMatchObject({ version: sites.version, size: 2 });
});

test('[P12.1] SITE_LISTS=off takes back the sites at the next start, and a list of the operator’s own leaves the first list out', async () => {
  const database = await serverWith({});
  const restartWith = async (SITE_LISTS: string) => {
    const server = await serverWith({ env: { SITE_LISTS }, otherServer: database });
    await server.app.worker.idle();
    const sites = await sitesOf(server);
    await server.app.close();
    return ['old.top', 'own.top'].map(sites.has);
  };
  // A server that still runs with other settings would fetch with those.
  await database.app.close();
  const own = await listServer('own.top');
  expect(await restartWith('default')).toEqual([true, false]);
  expect(await restartWith('off')).toEqual([false, false]);
  expect(await restartWith(own.url)).toEqual([false, true]);
  expect(await restartWith(`first,${own.url}`)).toEqual([true, true]);
  expect(await restartWith('first')).toEqual([true, false]);
});

test('[P12.1] the default lists are fetched and merged with the first list, whose names on a keep list are left out', async () => {
  const [scams, top] = [await listServer('new.top\nkept.com'), await listServer('{"list": ["www.kept.com"]}')];
  const server = await serverWith({ defaultLists: [defaultList(scams, 'plain', 'Scams'), defaultList(top, 'keep', 'Top')] });
  await server.app.worker.idle();
  const sites = await sitesOf(server);
  expect(['old.top', 'new.top', 'kept.com'].map(sites.has)).toEqual([true, true, false]);
});

test('fetched lists wait for every keep list, while the first list is in force', async () => {
  const [scams, top] = [await listServer('new.top'), await unreachable()];
  const server = await serverWith({ defaultLists: [defaultList(scams, 'plain', 'Scams'), defaultList(top, 'keep', 'Top')] });
  await server.app.worker.idle();
  const waiting = await sitesOf(server);
  expect([waiting.has('old.top'), waiting.has('new.top')]).toEqual([true, false]);

  top.has('kept.com\n');
  server.clock.turn(hour);
  await server.app.worker.idle();
  const sites = await sitesOf(server);
  expect(['old.top', 'new.top', 'kept.com'].map(sites.has)).toEqual([true, true, false]);
});

test('lists that were never fetched are fetched again every hour by one job for all servers, and each problem is logged once', async () => {
  const list = await unreachable();
  const server = await serverWith({ defaultLists: [defaultList(list, 'plain', 'Scams')] });
  const second = await serverWith({ defaultLists: [defaultList(list, 'plain', 'Scams')], otherServer: server });
  await server.app.worker.idle();
  const fetchesBefore = list.asked.length;
  for (let n = 0; n < 3; n++) {
    server.clock.turn(hour);
    second.clock.turn(hour);
    await Promise.all([server.app.worker.idle(), second.app.worker.idle()]);
  }
  expect(list.asked.length - fetchesBefore).toBe(3);
  expect(`${server.logged()}${second.logged()}`.split('its last good state stays in force').length - 1).toBe(1);
  list.has('new.top\n');
  server.clock.turn(hour);
  await server.app.worker.idle();
  const good = list.asked.length;
  server.clock.turn(2 * hour);
  await server.app.worker.idle();
  expect(list.asked).toHaveLength(good);
});

test('a new version of the server publishes its first list at the start, and the same version publishes nothing again', async () => {
  const server = await serverWith({});
  const { version } = await sitesOf(server);
  const same = await serverWith({ otherServer: server });
  expect((await sitesOf(same)).version).toBe(version);
  const next = await serverWith({ otherServer: server, firstList: first('newer.top') });
  const sites = await sitesOf(next);
  expect([sites.version, sites.has('newer.top'), sites.has('old.top')]).toEqual([version + 1, true, false]);
});

test('the operator sees name, licence, size, age and last problem of each list', async () => {
  const [scams, broken] = [await listServer('a.top\nb.top'), await unreachable()];
  const server = await serverWith({ env: { SITE_LISTS: `first,${scams.url},${broken.url}` } });
  await server.app.worker.idle();
  server.clock.turn(2 * day);
  const out = await status(server);
  expect(out).toContain('The first list, which ships with the server: 2 sites still in force, as of 2026-11-01');
  expect(out).toMatch(new RegExp(`${scams.url}: 2 sites, as of 2026-11-21`));
  expect(out).toMatch(new RegExp(`${broken.url}: never fetched, last try 2026-11-21.*: `));
});

test('a server that is fetching lists ends at once, and its successor fetches them', async () => {
  const [slow, good] = [await listServer(), await listServer('good.top')];
  slow.answer = () => {};
  const defaultLists = [defaultList(slow, 'plain', 'Scams'), defaultList(good, 'plain', 'More scams')];
  const database = await serverWith({ defaultLists });
  await expect.poll(() => slow.asked.length).toBe(1);
  await database.app.close();
  expect(database.logged()).not.toContain('its last good state stays in force');

  slow.has('slow.top');
  const server = await serverWith({ defaultLists, otherServer: database });
  await server.app.worker.idle();
  const sites = await sitesOf(server);
  expect(['good.top', 'slow.top', 'old.top'].map(sites.has)).toEqual([true, true, true]);
});

test('a thousand agents that fetch the same part at once read it from the database once, and an unknown part is still not found', async () => {
  const server = await serverWith({});
  const { sha256 } = await server.db.selectFrom('feed_parts').select('sha256').orderBy('created').limit(1).executeTakeFirstOrThrow();
  const fetchPart = async (hash: string) =>
    (await server.app.http.inject({ method: 'GET', url: `/api/definitions/parts/${hash}` })).statusCode;
  expect(await fetchPart(sha256)).toBe(200);
  await server.db.deleteFrom('feed_parts').where('sha256', '=', sha256).execute();
  const statuses = await Promise.all(Array.from({ length: 1000 }, () => fetchPart(sha256)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const unknown = 'f'.repeat(64);
  expect([await fetchPart(unknown), await fetchPart(unknown)]).toEqual([404, 404]);
});
