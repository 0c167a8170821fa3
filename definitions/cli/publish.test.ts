import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedFeed } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPart, type OpenFeed, openFeed, readCataloguePart } from '../feed.ts';
import type { Definition } from '../format.ts';
import { shippedRecognition } from '../shipped.ts';
import { buildSiteList, readSiteList } from '../sites/site-list.ts';
import { runTyped } from '../testing/command.ts';
import { definitionWith } from '../testing/definition-with.ts';

const folder = mkdtempSync(join(tmpdir(), 'porchlight-publish-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const [root, key] = [path('root.json'), path('key.json')];
const publicKeyIn = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { public_key: string }).public_key;
const newKey = async (name: string) => {
  await runTyped(['new-key', '--out', path(name)]);
  return path(name);
};
beforeAll(async () => {
  for (const name of ['root.json', 'key.json']) await newKey(name);
});

const start = new Date('2026-11-21T12:00:00.000Z');
const after = (days: number) => new Date(start.getTime() + days * day);
const tool = (name: string, mark = name) =>
  definitionWith(name, { programs: { names: [{ os: 'windows', name: `${mark}control.exe` }] }, domains: [`${name}.example`] });
const acme = tool('acme');
const folderOf = (definitions: Definition[]) => {
  const catalogueFolder = mkdtempSync(path('catalogue-'));
  for (const definition of definitions) writeFileSync(join(catalogueFolder, `${definition.identifier}.json`), JSON.stringify(definition));
  return catalogueFolder;
};
const listOf = (name: string, sites: string[]) => {
  writeFileSync(path(name), buildSiteList(sites));
  return path(name);
};

/** A folder to publish in, and how a server that has pinned its first root takes what is in it. */
function feedFolder() {
  const feed = mkdtempSync(path('feed-'));
  const parts = () => readdirSync(join(feed, 'parts'));
  let current: OpenFeed | null = null;
  return {
    feed,
    parts,
    publish: (definitions: Definition[], words: string[] = [], now = start, keys = { root, key }) =>
      runTyped(['publish', feed, '--root', keys.root, '--key', keys.key, '--from', folderOf(definitions), ...words], '', now),
    take(now = start, pinned = publicKeyIn(root)) {
      current = openFeed(pinned, current, JSON.parse(readFileSync(join(feed, 'feed.json'), 'utf8')), now);
      const { catalogue, sites, version } = current.set;
      const readPart = (sha256: string) => new Uint8Array(readFileSync(join(feed, 'parts', sha256)));
      const { definitions, commands } = readCataloguePart(checkPart(readPart(catalogue.sha256), catalogue), current.set);
      expect(commands).toEqual(shippedRecognition([]).commands);
      const list = sites && readSiteList(checkPart(readPart(sites.sha256), sites));
      return { version, names: definitions.map(({ identifier }) => identifier), list, keys: current.feed.keys.length };
    },
    state: () => [readFileSync(join(feed, 'feed.json'), 'utf8'), ...parts().sort()],
  };
}

test('[P16.1] publish writes a signed folder, and then one version higher what has changed, which it prints with what a server fetches', async () => {
  const { publish, take, parts } = feedFolder();
  const sites = ['--sites', listOf('first.list', ['scam.example'])];
  const first = await publish([acme], sites);
  expect(first.output).toMatch(/^New: 1 families\.\nVersion 1 is in /);
  expect(take()).toMatchObject({ version: 1, names: ['acme'], keys: 1 });

  const { output } = await publish([acme, tool('beta')], sites);
  expect(output).toMatch(/^new: beta\n {2}\+ identifier: beta\n/);
  expect(output).toMatch(/A server with version 1 fetches [\d,]+ bytes: feed\.json [\d,]+, catalogue [\d,]+\.\n/);
  const second = take();
  expect([second.version, second.names, second.keys, second.list?.has('scam.example')]).toEqual([2, ['acme', 'beta'], 1, true]);
  expect(parts()).toHaveLength(3);
});

test('[P16.1] publish writes nothing when nothing has changed, until half of the time of the signature is over', async () => {
  const { publish, take, state } = feedFolder();
  await publish([acme]);
  const before = state();
  expect((await publish([acme], [], after(14))).output).toBe('Nothing has changed since version 1, and nothing was written.\n');
  expect(state()).toEqual(before);
  expect((await publish([acme], [], after(16))).output).toMatch(/^No definition has changed\.\nVersion 2 is in /);
  expect(take(after(16)).version).toBe(2);
});

describe('[P16.1] publish writes nothing, and says why', () => {
  test.each<[string, Definition[], string[], RegExp]>([
    ['a site that many use', [{ ...acme, domains: ['github.io'] }], [], /github\.io[\s\S]*Nothing was written: 1 to put right first/],
    ['a harmless program', [tool('acme', 'x'), tool('chess', 'y')].map(takesChess), [], /would take Spotify/],
    ['a list of sites that is none', [acme], ['--sites', root], /not a site list/],
    ['a list that was forgotten', [acme], ['none'], /Its list has 0 sites, and had 3\. If that is right, publish it with --accept/],
    ['a definition that is gone', [], [], /has lost 1 of 1 programs and scams.*acme\. If that is right/],
  ])('%s', async (_what, definitions, words, expected) => {
    const { publish, state } = feedFolder();
    const sites = ['--sites', listOf('three.list', ['a.example', 'b.example', 'c.example'])];
    await publish([acme], sites);
    const before = state();
    await expect(publish(definitions, words[0] === 'none' ? [] : words.length > 0 ? words : sites)).rejects.toThrow(expected);
    expect(state()).toEqual(before);
  });

  function takesChess(definition: Definition): Definition {
    if (definition.identifier !== 'chess') return definition;
    return { ...definition, programs: { ...definition.programs, names: [{ os: 'windows', name: 'Spotify.exe' }] } };
  }
});

test('[P16.1] with --accept publish takes away what it would not otherwise, but nothing that harms', async () => {
  const { publish, take } = feedFolder();
  await publish([acme, tool('beta')]);
  await expect(publish([tool('beta')])).rejects.toThrow(/has lost 1 of 2/);
  await expect(publish([{ ...tool('beta'), domains: ['google.com'] }], ['--accept'])).rejects.toThrow(/google\.com/);
  await publish([tool('beta')], ['--accept']);
  expect(take()).toMatchObject({ version: 2, names: ['beta'] });
});

test('[P16.1] a part stays while one of the last five feeds names it, and what else is in the folder stays', async () => {
  const { feed, publish, parts, take } = feedFolder();
  await publish([acme]);
  const [firstPart = ''] = parts();
  writeFileSync(join(feed, 'parts', 'README'), 'served by nginx');
  writeFileSync(join(feed, 'parts', `${'0'.repeat(64)}.new`), 'half of a part that was never finished');
  for (const version of [2, 3, 4, 5]) await publish([acme, tool(`tool${version}`)], ['--accept']);
  expect(parts()).toContain(firstPart);
  await publish([acme, tool('tool6')], ['--accept']);
  expect(parts()).not.toContain(firstPart);
  expect(parts()).toContain('README');
  expect(parts()).toHaveLength(6);
  expect(readdirSync(join(feed, 'earlier')).sort()).toEqual(['2.json', '3.json', '4.json', '5.json']);
  expect(take().version).toBe(6);
});

test('[P16.1] publish goes on after it was interrupted before feed.json, and never leaves half a part', async () => {
  const { feed, publish, take } = feedFolder();
  await publish([acme]);
  const second = await feedFolderWith([acme, tool('beta')]);
  const [nextPart = ''] = readdirSync(join(second, 'parts')).filter((name) => !existsSync(join(feed, 'parts', name)));
  writeFileSync(join(feed, 'parts', nextPart), 'half of a part');
  expect(take().version).toBe(1);
  await publish([acme, tool('beta')]);
  expect(take()).toMatchObject({ version: 2, names: ['acme', 'beta'] });

  async function feedFolderWith(definitions: Definition[]) {
    const other = feedFolder();
    await other.publish(definitions);
    return other.feed;
  }
});

test('[P16.1] a damaged feed is not gone on from, so that the version never falls', async () => {
  const { feed, publish } = feedFolder();
  await publish([acme]);
  const text = readFileSync(join(feed, 'feed.json'), 'utf8');
  writeFileSync(join(feed, 'feed.json'), text.slice(0, 100));
  await expect(publish([acme])).rejects.toThrow(/is not a whole feed/);
  writeFileSync(join(feed, 'feed.json'), text);
  for (const part of readdirSync(join(feed, 'parts'))) rmSync(join(feed, 'parts', part));
  await expect(publish([acme])).rejects.toThrow(/is not a whole feed/);
});

describe('[P16.1] the keys of a feed', () => {
  test('a new signing key takes the place of the former one, and a server that knows the root goes on', async () => {
    const { publish, take } = feedFolder();
    await publish([acme]);
    take();
    await publish([acme], [], start, { root, key: await newKey('second-key.json') });
    expect(take()).toMatchObject({ version: 2, keys: 2 });
  });

  test('a successor signs what follows, both for who pinned the former root and for who pins the new one', async () => {
    const { publish, take, feed } = feedFolder();
    const successor = await newKey('successor.json');
    await expect(publish([acme], ['--successor', successor])).rejects.toThrow(/no feed yet/);
    await publish([acme]);
    take();
    await publish([acme], ['--successor', successor]);
    expect(take()).toMatchObject({ version: 2, keys: 2 });
    await expect(publish([acme, tool('beta')])).rejects.toThrow(/Name the root that it has now/);
    const nextKey = await newKey('key-of-the-successor.json');
    const { output } = await publish([acme, tool('beta')], [], start, { root: successor, key: nextKey });
    expect(output).toContain(publicKeyIn(root));
    expect(take()).toMatchObject({ version: 3, keys: 3 });
    const feedJson = signedFeed.parse(JSON.parse(readFileSync(join(feed, 'feed.json'), 'utf8')));
    expect(openFeed(publicKeyIn(successor), null, feedJson, start).set.version).toBe(3);
    expect(() => openFeed(publicKeyIn(nextKey), null, feedJson, start)).toThrow(/not signed by/);
  });

  test('the public half of the root is enough, except for a new key and where the list of keys ends soon; the whole root renews it before', async () => {
    const { publish, take } = feedFolder();
    const half = path('public-root.json');
    writeFileSync(half, JSON.stringify({ public_key: publicKeyIn(root) }));
    await expect(publish([acme], [], start, { root: half, key })).rejects.toThrow(/only its public half/);
    await publish([acme]);
    take();
    await publish([acme, tool('beta')], [], start, { root: half, key });
    await expect(publish([acme], ['--accept'], start, { root: half, key: await newKey('third-key.json') })).rejects.toThrow(/public half/);
    await publish([acme, tool('beta')], [], after(299));
    expect(take(after(299))).toMatchObject({ version: 3, keys: 1 });
    await publish([acme, tool('beta')], [], after(369), { root: half, key });
    await expect(publish([acme, tool('beta')], [], after(371), { root: half, key })).rejects.toThrow(/only its public half/);
    await publish([acme, tool('beta')], [], after(371));
    expect(take(after(371))).toMatchObject({ version: 5, keys: 2 });
  });

  test('new-key writes a file that only its user can read, and never writes over one', async () => {
    expect(statSync(key).mode & 0o077).toBe(0);
    await expect(runTyped(['new-key', '--out', key])).rejects.toThrow(/is there already/);
  });
});
