import { expect, it, test } from 'vitest';
import { extractionOf, extractions } from './extractions.ts';

test.each<[string, string[], string | null, string]>([
  ['/usr/bin/unzip', ['-q', 'a.zip'], '/work/a.zip', '/work'],
  ['/usr/bin/unzip', ['a.zip', '-d', '/home/mum/tool'], '/work/a.zip', '/home/mum/tool'],
  ['/usr/bin/unzip', ['/downloads/a.zip', '-d', 'tool'], '/downloads/a.zip', '/work/tool'],
  ['/usr/bin/tar', ['xf', 'a.tar.gz'], '/work/a.tar.gz', '/work'],
  ['/usr/bin/tar', ['-xf', 'a.tgz', '--directory=/opt/a'], '/work/a.tgz', '/opt/a'],
  ['/usr/bin/tar', ['-xf', 'a.tgz', '-C', '/opt/a'], '/work/a.tgz', '/opt/a'],
  ['/usr/lib/p7zip/7z', ['x', 'a.7z', '-o/opt/a'], '/work/a.7z', '/opt/a'],
  ['/usr/bin/file-roller', ['--extract-here', 'file:///downloads/a.zip'], '/downloads/a.zip', '/downloads'],
  ['/usr/bin/file-roller', ['--extract-to=file:///home/mum', '/downloads/a.zip'], '/downloads/a.zip', '/home/mum'],
  ['/usr/bin/gunzip', ['/downloads/a.gz'], '/downloads/a.gz', '/downloads'],
  ['/usr/bin/dpkg-deb', ['-x', 'a.deb', 'target'], '/work/a.deb', '/work'],
  ['/usr/bin/tar', ['--version'], null, ''],
  ['/usr/bin/less', ['a.zip'], null, ''],
])('%s with %j extracts %s into %s', (program, args, archive, folder) => {
  expect(extractionOf(program, args, '/work')).toEqual(archive && { archives: [archive], folder });
});

it('a file is from an archive in its folder, of its owner, and from the start until 10 minutes after', () => {
  const known = extractions<string>();
  const began = Date.parse('2026-11-22T12:00:00Z');
  known.add({ folder: '/work', uid: 1000, source: 'archive' }, began);
  const file = { path: '/work/tool', born: began, uid: 1000 };
  expect(known.sourceOf(file)).toBe('archive');
  expect(known.sourceOf({ ...file, path: '/work/a/b/c/tool' })).toBe('archive');
  expect(known.sourceOf({ ...file, born: began + 600_000 })).toBe('archive');
  for (const difference of [
    { path: '/work/a/b/c/d/tool' },
    { path: '/working/tool' },
    { uid: 1001 },
    { born: began - 2001 },
    { born: began + 600_001 },
  ])
    expect(known.sourceOf({ ...file, ...difference })).toBeNull();
  // Extractions are limited: the oldest is forgotten.
  for (let n = 0; n < 100; n++) known.add({ folder: '/other', uid: 1000, source: 'other' }, began);
  expect(known.sourceOf(file)).toBeNull();
  expect(known.sourceOf({ ...file, path: '/other/tool' })).toBe('other');
});
