import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FirstList, readMarks, sourcesInFirst } from '../first-list.ts';
import type { CommandStreams } from './command.ts';
import { Usage } from './command-line.ts';
import { importSites } from './import-sites.ts';
import { sitesCommand } from './sites-command.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-sites-'));
});
afterAll(() => rm(folder, { recursive: true }));

const siteLists = (args: string[], streams: CommandStreams) => sitesCommand.run(args, streams);

/** Runs a command as `main.ts` does. */
async function run(command: typeof siteLists, ...args: string[]) {
  const out = new PassThrough();
  const streams = { out, input: out, now: () => new Date() };
  const [code, err] = await command(args, streams).then(
    (done) => [done, ''] as const,
    (reason: unknown) => [reason instanceof Usage ? 2 : 1, String(reason)] as const,
  );
  return { code, out: String(out.read() ?? '').trimEnd(), err };
}
const file = (name: string) => join(folder, name);
const sourceNamed = (name: string): FirstList['sources'][number] => ({
  ...{ name, home: 'https://lists.example.org', file: 'x', licence: 'MIT', copyright: null, as_of: '2026-11-01', lists: [] },
});

test('the import command builds a site list from two files; the commands diff, apply and info accept it', async () => {
  await writeFile(file('one.txt'), 'evil.com\ngithub.io');
  await writeFile(file('two.txt'), '0.0.0.0 worse.com\n0.0.0.0 kept.com\nnot a name');
  await writeFile(file('keep.txt'), 'www.kept.com');
  const firstImport = await run(
    importSites,
    file('one.txt'),
    file('two.txt'),
    '--out',
    file('old.list'),
    '--keep',
    file('keep.txt'),
    '--names',
    file('names.txt'),
    '--report',
    file('report.json'),
  );
  expect(firstImport).toMatchObject({ code: 0, err: '' });
  expect(firstImport.out).toContain('5 lines, 2 names: 2 new, 0 gone');
  expect(firstImport.out).toContain('refused: 3');
  expect(await readFile(file('names.txt'), 'utf8')).toBe('evil.com\nworse.com\n');
  expect(JSON.parse(await readFile(file('report.json'), 'utf8'))).toMatchObject({ names: 2, refused_count: 3 });

  await writeFile(file('three.txt'), 'worse.com\nnew.com\nnewer.com');
  const nextImport = await run(
    importSites,
    file('three.txt'),
    '--format',
    'plain',
    '--before',
    file('old.list'),
    '--out',
    file('new.list'),
  );
  expect(nextImport.out).toContain('3 names: 2 new, 1 gone');
  const diff = await run(siteLists, 'diff', file('old.list'), file('new.list'), '--out', file('x.delta'));
  expect(diff.out).toMatch(/a change of \d+ bytes, from 2 to 3 names: 2 came, 1 went/);
  expect(await run(siteLists, 'apply', file('old.list'), file('x.delta'), '--out', file('made.list'))).toMatchObject({ code: 0 });
  expect((await readFile(file('made.list'))).equals(await readFile(file('new.list')))).toBe(true);
  const info = await run(siteLists, 'info', file('made.list'), 'www.new.com', 'evil.com');
  expect(info.out.split('\n')).toEqual(['a list of 48 bytes with 3 names', 'www.new.com: new.com', 'evil.com: not listed']);
});

test('[P16.4] the command marks writes which sources have each name of a list, and names of no source get no mark', async () => {
  await writeFile(file('a.txt'), 'both.com\nonly-a.com');
  await writeFile(file('b.txt'), '||both.com^\n0.0.0.0 only-b.com');
  await writeFile(file('of-none.txt'), 'of-none.com');
  await run(importSites, file('a.txt'), file('b.txt'), file('of-none.txt'), '--out', file('all.list'));
  const marked = await run(siteLists, 'marks', file('all.list'), file('a.txt'), file('b.txt'), '--out', file('all.marks'));
  expect(marked).toMatchObject({ code: 0, err: '' });
  expect(marked.out.split('\n').slice(-1)).toEqual(['several sources: 1, unknown: 1']);
  const marks = readMarks(await readFile(file('all.marks')));
  const first = { bytes: await readFile(file('all.list')), marks, as_of: new Date(0), sources: [sourceNamed('A'), sourceNamed('B')] };
  const sourcesOf = (name: string) => sourcesInFirst(name, first)?.sources;
  expect(['both.com', 'only-a.com', 'only-b.com', 'of-none.com', 'other.com'].map(sourcesOf)).toEqual([
    ['A', 'B'],
    ['A'],
    ['B'],
    [],
    undefined,
  ]);
  expect(await run(siteLists, 'marks', file('all.list'), '--out', file('all.marks'))).toMatchObject({ code: 2 });
});

test.each([
  [importSites, [], 2, /import sites FILE/],
  [importSites, ['x.txt'], 2, /import sites FILE/],
  [importSites, ['x.txt', '--out', 'y', '--format', 'toString'], 2, /import sites FILE/],
  [importSites, ['/nowhere/at/all.txt', '--out', '/nowhere/y'], 1, /is not there/],
  [importSites, ['--nonsense'], 2, /nonsense/],
  [siteLists, [], 2, /sites diff/],
  [siteLists, ['diff', 'a', 'b'], 2, /sites diff/],
  [siteLists, ['other', 'a', 'b', '--out', 'c'], 2, /sites diff/],
])('wrong arguments of a site-list command print an error and set the exit code (case %#)', async (command, args, code, message) => {
  expect(await run(command, ...args)).toMatchObject({ code, err: expect.stringMatching(message) });
});

test('a site-list command with a damaged list prints an error and writes nothing', async () => {
  await writeFile(file('bad.list'), 'PLSLxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
  expect(await run(siteLists, 'info', file('bad.list'))).toMatchObject({ code: 1, err: expect.stringMatching(/format/) });
  expect(await run(siteLists, 'apply', file('bad.list'), file('bad.list'), '--out', file('none.list'))).toMatchObject({ code: 1 });
  await expect(readFile(file('none.list'))).rejects.toThrow(/ENOENT/);
});
