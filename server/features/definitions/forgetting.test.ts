import { day } from '@porchlight/contract/time.ts';
import type { DefaultList } from '@porchlight/definitions/default-lists.ts';
import { type FirstList, markSources } from '@porchlight/definitions/first-list.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, onTestFinished, test } from 'vitest';
import { porchlight } from '../../testing/command.ts';
import { type ListServer, listServer } from '../../testing/list-server.ts';
import { sitesOf } from '../../testing/published-sites.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const source = (name: string, ...lists: ListServer[]): FirstList['sources'][number] => ({
  ...{ name, home: 'https://lists.example.org', file: 'list.txt', licence: 'MIT', copyright: null, as_of: '2026-11-01' },
  lists: lists.map(({ url }) => url),
});

/** A first list of these sources and the names that each had; `unknown` are names of which nobody knows the source. */
function first(sources: [FirstList['sources'][number], string][], { as_of = '2026-11-01', unknown = '' } = {}): FirstList {
  const names = sources.map(([, text]) => text.split(' '));
  const bytes = buildSiteList([...names.flat(), ...(unknown ? unknown.split(' ') : [])]);
  return { bytes, marks: markSources(bytes, names), as_of: new Date(as_of), sources: sources.map(([one]) => one) };
}

const plain = ({ url }: ListServer): DefaultList => ({ url, format: 'plain', name: `The list ${url}`, licence: 'MIT', purpose: 'a test' });
const isDown = (list: ListServer) => (list.answer = (response) => void response.writeHead(503).end());
const listThatIsDown = async () => {
  const list = await listServer();
  isDown(list);
  return list;
};

interface Given {
  firstList: FirstList;
  lists: ListServer[];
  otherServer?: TestServer;
}
async function serverWith({ firstList, lists, otherServer }: Given) {
  const defaultLists = lists.map(plain);
  const shipped = { firstList: () => firstList, defaultLists, ...(otherServer ? { otherServer } : {}) };
  const server = await testServer({ SITE_LISTS: 'default' }, [], shipped);
  onTestFinished(() => server.close());
  await server.app.worker.idle();
  return server;
}
const nextDay = async (server: TestServer, days = 1) => {
  server.clock.turn(days * day);
  await server.app.worker.idle();
};
const blocked = async (server: TestServer, names: string) => {
  const sites = await sitesOf(server);
  return names.split(' ').filter(sites.has);
};
const command = async (server: TestServer, ...args: string[]) =>
  porchlight(
    ['definitions', ...args],
    { DATABASE_URL: server.database_url, SECRET_KEY: 'a secret key for tests, thirty-two characters' },
    server.clock,
  );

test('[P16.4] a site that its source has taken out opens within a day, although the first list had it; a site that the source still has stays blocked', async () => {
  const list = await listServer('innocent.ca\nscam.top');
  const server = await serverWith({ firstList: first([[source('One', list), 'innocent.ca scam.top']]), lists: [list] });
  expect(await blocked(server, 'innocent.ca scam.top')).toEqual(['innocent.ca', 'scam.top']);
  list.has('scam.top');
  await nextDay(server);
  expect(await blocked(server, 'innocent.ca www.innocent.ca scam.top')).toEqual(['scam.top']);
});

test('[P16.4] a site that one source has taken out and another still has stays blocked, until that one takes it out too', async () => {
  const [one, other] = [await listServer('shop.ee\nscam.top'), await listServer('shop.ee\nfake.top')];
  const firstList = first([
    [source('One', one), 'shop.ee scam.top'],
    [source('Other', other), 'shop.ee fake.top'],
  ]);
  const server = await serverWith({ firstList, lists: [one, other] });
  one.has('scam.top');
  await nextDay(server);
  expect(await blocked(server, 'shop.ee scam.top fake.top')).toEqual(['shop.ee', 'scam.top', 'fake.top']);
  other.has('fake.top');
  await nextDay(server);
  expect(await blocked(server, 'shop.ee scam.top fake.top')).toEqual(['scam.top', 'fake.top']);
});

test('[P16.4] a source that cannot be fetched keeps its own share of the first list, while the shares of fetched sources are gone', async () => {
  const [one, broken] = [await listServer('scam.top'), await listThatIsDown()];
  const firstList = first([
    [source('One', one), 'innocent.ca scam.top'],
    [source('Broken', broken), 'only-here.top'],
    [source('Not fetched'), 'never-fetched.top'],
  ]);
  const server = await serverWith({ firstList, lists: [one, broken] });
  expect(await blocked(server, 'innocent.ca scam.top only-here.top never-fetched.top')).toEqual([
    'scam.top',
    'only-here.top',
    'never-fetched.top',
  ]);
});

test('[P16.4] a source of two lists is fetched only when both are, and a name of unknown source is dropped once every source is fetched', async () => {
  const [one, two] = [await listServer('scam.top'), await listThatIsDown()];
  const firstList = first([[source('Two lists', one, two), 'innocent.ca scam.top']], { unknown: 'unknown.top' });
  const server = await serverWith({ firstList, lists: [one, two] });
  expect(await blocked(server, 'innocent.ca scam.top unknown.top')).toEqual(['innocent.ca', 'scam.top', 'unknown.top']);
  two.has('fake.top');
  await nextDay(server);
  expect(await blocked(server, 'innocent.ca scam.top unknown.top fake.top')).toEqual(['scam.top', 'fake.top']);
});

test('[P16.4] 60 days after the date of the first list, a source that was never fetched counts only for names that several sources had', async () => {
  const [one, other] = [await listThatIsDown(), await listThatIsDown()];
  const firstList = first(
    [
      [source('One', one), 'both.top only-one.top'],
      [source('Other', other), 'both.top only-other.top'],
    ],
    { unknown: 'unknown.top' },
  );
  const server = await serverWith({ firstList, lists: [one, other] });
  const names = 'both.top only-one.top only-other.top unknown.top';
  await nextDay(server, 38);
  expect(await blocked(server, names)).toEqual(names.split(' '));
  await nextDay(server, 3);
  expect(await blocked(server, names)).toEqual(['both.top']);
  // What was fetched has no such age: its last good state stays in force.
  one.has('only-one.top');
  await nextDay(server);
  isDown(one);
  await nextDay(server, 90);
  expect(await blocked(server, names)).toEqual(['only-one.top']);
});

test('[P16.4] a first list that is newer than the last fetch is used beside it, until the next fetch', async () => {
  const list = await listServer('old.top');
  const before = await serverWith({ firstList: first([[source('One', list), 'old.top']]), lists: [list] });
  await before.app.close();
  isDown(list);
  const newer = first([[source('One', list), 'newer.top']], { as_of: '2026-11-25' });
  const server = await serverWith({ firstList: newer, lists: [list], otherServer: before });
  expect(await blocked(server, 'old.top newer.top')).toEqual(['old.top', 'newer.top']);
  list.has('newest.top');
  await nextDay(server, 5);
  expect(await blocked(server, 'old.top newer.top newest.top')).toEqual(['newest.top']);
});

test('[P16.4] the operator sees how many sites of the first list are still in force, beside the lists that took their place', async () => {
  const [one, broken] = [await listServer('scam.top\nfake.top'), await listThatIsDown()];
  const firstList = first([
    [source('One', one), 'innocent.ca scam.top'],
    [source('Broken', broken), 'only-here.top'],
  ]);
  const server = await serverWith({ firstList, lists: [one, broken] });
  const { out } = await command(server, 'status');
  expect(out).toContain('The first list, which ships with the server: 1 sites still in force, as of 2026-11-01');
  expect(out).toContain(`${one.url}: 2 sites, as of 2026-11-2`);
});

test('[P16.4] a command names the lists that have a site or a name above it, and says so where none has', async () => {
  const [one, other] = [await listServer('scam.top'), await listServer('shop.scam.top\nfake.top')];
  // The command reads the first list that ships, which has this name from one source.
  const server = await serverWith({ firstList: first([[source('One', one), 'scam.top']]), lists: [one, other] });
  const of = async (name: string) => (await command(server, 'sources', name)).out.trimEnd().split('\n');
  expect(await of('WWW.shop.scam.top')).toEqual([
    'www.shop.scam.top is blocked, by scam.top.',
    ...[`${one.url} has scam.top, as of 2026-11-21`, `${other.url} has shop.scam.top, as of 2026-11-21`]
      .toSorted()
      .map((line) => expect.stringContaining(line)),
  ]);
  expect(await of('fake.top')).toEqual(['fake.top is blocked, by fake.top.', expect.stringContaining(`${other.url} has fake.top`)]);
  expect(await of('example.org')).toEqual(['example.org is not blocked by a list.', 'No list has it, or a name above it.']);
  expect(await of('programmational.ca')).toEqual([
    'programmational.ca is not blocked by a list.',
    'The first list, as of 2026-08-23, has programmational.ca, from The Block List Project; it is not in force there any more.',
  ]);
  for (const args of [[], ['a.top', 'b.top'], ['not a name'], ['192.0.2.1']])
    expect(await command(server, 'sources', ...args)).toMatchObject({ code: 2, err: expect.stringContaining('Name one site') });
});
