import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { namesWithCode, namesWithoutCode } from '../testing/installer-names.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const script = fileURLToPath(new URL('preinstall.sh', import.meta.url));
const codeFile = 'Library/Application Support/Porchlight/data/enrol';

interface Given {
  /** `path`: the variable PACKAGE_PATH; `argument`: the script's first argument. */
  path?: string;
  argument?: string;
  /** File contents by path below the root, with their age in minutes. */
  files?: Record<string, { content: string; minutes?: number }>;
}

async function codeAfter({ path, argument = '', files = {} }: Given): Promise<string | null> {
  const root = await temporaryFolder();
  for (const [name, { content, minutes = 0 }] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
    const modifiedAt = new Date(Date.now() - minutes * 60_000);
    utimesSync(join(root, name), modifiedAt, modifiedAt);
  }
  const env = { PATH: process.env.PATH, ...(path === undefined ? {} : { PACKAGE_PATH: path }) };
  execFileSync('sh', [script, argument, '/', root], { env });
  const file = join(root, codeFile);
  if (!existsSync(file)) return null;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  return readFileSync(file, 'utf8').trim();
}

describe('the device code in the name of the package', () => {
  test.each(namesWithCode)('[P3.4] is found by the installer of macOS in %s', async (name) => {
    expect(await codeAfter({ path: name })).toBe('ABCD-EFGH');
  });

  test.each(namesWithoutCode)('[P3.4] is not found by the installer of macOS in %s', async (name) => {
    expect(await codeAfter({ path: name })).toBe('');
  });

  test.each([
    ['the path of the package', { path: '/a/Porchlight [ABCD-EFGH].pkg' }],
    ['its first argument, where there is no path', { argument: '/a/Porchlight [ABCD-EFGH].pkg' }],
    ['its first argument, where the path has none', { path: '/tmp/x.pkg', argument: '/a/Porchlight [ABCD-EFGH].pkg' }],
    ['the path before its first argument', { path: '/a/P [ABCD-EFGH].pkg', argument: '/a/P [BCDE-FGHJ].pkg' }],
  ])('[P3.4] is taken from %s', async (_from, input) => {
    expect(await codeAfter(input)).toBe('ABCD-EFGH');
  });

  const log = (...names: string[]) => names.map((name) => `2026-11-21 10:00:00+01 mac Installer[71]: Opened from: ${name}\n`).join('');
  const strangerFiles = {
    'Users/ann/Downloads/invoice [KJHG-FDSA].pkg': { content: '' },
    'Users/ann/Downloads/Porchlight.pkg': { content: 'x' },
  };
  test.each([
    ['a file beside it in Downloads', { files: strangerFiles }],
    [
      'another package that the installer opened',
      { files: { 'var/log/install.log': { content: log('/Users/ann/Downloads/invoice [KJHG-FDSA].pkg') } } },
    ],
  ])('A3: a package without a code in its name takes no code from %s', async (_from, input) => {
    const path = '/Users/ann/Downloads/Porchlight.pkg';
    expect(await codeAfter({ ...input, path, argument: path })).toBe('');
    // A code in the name of the package itself still counts.
    expect(await codeAfter({ ...input, path: '/Users/ann/Downloads/Porchlight [ABCD-EFGH].pkg' })).toBe('ABCD-EFGH');
  });

  test('without a code, a new computer gets the free plan and a linked computer stays linked', async () => {
    expect(await codeAfter({ path: 'Porchlight.pkg' })).toBe('');
    const identity = { [codeFile.replace('enrol', 'identity.json')]: { content: '{}' } };
    expect(await codeAfter({ path: 'Porchlight.pkg', files: identity })).toBeNull();
    expect(await codeAfter({ path: 'Porchlight [ABCD-EFGH].pkg', files: identity })).toBe('ABCD-EFGH');
  });

  test('the name of the package is never run as a command', async () => {
    const trap = '$(touch /tmp/porchlight-trap) `touch /tmp/porchlight-trap` [ABCD-EFGH];touch x.pkg';
    expect(await codeAfter({ path: trap })).toBe('ABCD-EFGH');
    expect(existsSync('/tmp/porchlight-trap')).toBe(false);
  });
});
