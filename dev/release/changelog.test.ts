import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { changelogErrors, versionsIn } from './changelog.ts';
import { compareVersions } from './version.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('CHANGELOG.md has what is unreleased first, and then versions with their dates, the newest first', () => {
  expect(changelogErrors(read('CHANGELOG.md'))).toEqual([]);
});

test.each([
  ['## 1.0.0 – 2026-11-26', ['The first heading should be "## Unreleased".']],
  ['## Unreleased\n## Next', ['"## Next" should be a version and its date, as in "## 1.2.0 – 2026-11-26".']],
  ['## Unreleased\n## 1.0.0', ['"## 1.0.0" should be a version and its date, as in "## 1.2.0 – 2026-11-26".']],
  [
    '## Unreleased\n## 1.9.0 – 2026-11-27\n## 1.10.0 – 2026-11-26',
    ['1.9.0 of 2026-11-27 comes before 1.10.0 of 2026-11-26, and should be newer.'],
  ],
  [
    '## Unreleased\n## 1.1.0 – 2026-11-25\n## 1.0.0 – 2026-11-26',
    ['1.1.0 of 2026-11-25 comes before 1.0.0 of 2026-11-26, and should be newer.'],
  ],
  ['## Unreleased\n## 1.0.0 – 2026-02-30', ['2026-02-30 is no date.']],
  ['## Unreleased\n## 1.10.0 – 2026-11-26\n## 1.9.0 – 2026-11-26', []],
])('the headings %j have these errors', (changelog, errors) => {
  expect(changelogErrors(changelog)).toEqual(errors);
});

interface Manifest {
  version: string;
  workspaces: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const manifestOf = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Manifest;
const { version, workspaces } = manifestOf('.');

test('every workspace, the lock file and the newest heading of CHANGELOG.md have the same version', () => {
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, { version: string }> };
  expect(workspaces.map((folder) => [folder, manifestOf(folder).version])).toEqual(workspaces.map((folder) => [folder, version]));
  expect([lock.version, ...['', ...workspaces].map((path) => lock.packages[path]?.version)].filter((one) => one !== version)).toEqual([]);
  const own = workspaces.flatMap((folder) => Object.entries({ ...manifestOf(folder).dependencies, ...manifestOf(folder).devDependencies }));
  expect(own.filter(([name, wanted]) => name.startsWith('@porchlight/') && wanted !== version)).toEqual([]);
  const newest = versionsIn(read('CHANGELOG.md'))[0];
  // Before the first release there is none.
  if (newest) expect(newest.version).toBe(version);
});

test('the files in which a release sets the version are written as it writes them', () => {
  for (const path of ['package-lock.json', 'package.json', ...workspaces.map((folder) => `${folder}/package.json`)])
    expect([path, read(path) === `${JSON.stringify(JSON.parse(read(path)), null, 2)}\n`]).toEqual([path, true]);
});

test('versions are compared by their numbers', () => {
  expect(['1.10.0', '1.9.0', '2.0.0', '1.9.10'].toSorted(compareVersions)).toEqual(['1.9.0', '1.9.10', '1.10.0', '2.0.0']);
  expect(compareVersions('1.0.0', '1.0.0')).toBe(0);
});
