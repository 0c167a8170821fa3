import { chmod, chown, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkLibraries } from './binaries.ts';

const nobodyUid = 65_534;
const libraries = 'native/lib';
let root = '';
let folder = '';

beforeEach(async () => {
  [root, folder] = [await mkdtemp(join(tmpdir(), 'package-')), await mkdtemp(join(tmpdir(), 'data-'))];
  await mkdir(join(root, libraries), { recursive: true });
  await writeFile(join(root, libraries, 'libicu.so.60.2'), 'a library');
  const list = ['libicu.so', 'libicu.so.60'].map((name) => ({ source: `${libraries}/libicu.so.60.2`, target: `${libraries}/${name}` }));
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(list));
  await chmod(root, 0o755);
});
afterEach(async () => {
  await chmod(join(root, libraries), 0o755);
  for (const path of [root, folder]) await rm(path, { recursive: true, force: true });
});

/** Root may write everywhere, so its part is taken by nobody. */
async function withReadOnlyPackage<T>(use: () => Promise<T>): Promise<T> {
  await chmod(join(root, libraries), 0o555);
  if (process.getuid?.() !== 0) return use();
  await chown(folder, nobodyUid, nobodyUid);
  process.seteuid?.(nobodyUid);
  try {
    return await use();
  } finally {
    process.seteuid?.(0);
  }
}

test('the libraries of PostgreSQL are linked in their package where it can be written to', async () => {
  expect(await linkLibraries(root, folder)).toBeNull();
  expect(await readFile(join(root, libraries, 'libicu.so.60'), 'utf8')).toBe('a library');
});

test.skipIf(process.platform === 'win32')(
  'a package that cannot be changed leaves the links to the data folder, and a start from another folder replaces them',
  async () => {
    expect(await withReadOnlyPackage(() => linkLibraries(root, folder))).toBe(join(folder, 'libraries'));
    expect(await readFile(join(folder, 'libraries', 'libicu.so.60'), 'utf8')).toBe('a library');
    const link = join(folder, 'libraries', 'libicu.so');
    await rm(link);
    await symlink('/opt/former/libicu.so.60.2', link);
    await withReadOnlyPackage(() => linkLibraries(root, folder));
    expect(await readlink(link)).toBe(join(root, libraries, 'libicu.so.60.2'));
  },
);

test.skipIf(process.platform === 'win32')('a package whose links exist needs no others, although it cannot be changed', async () => {
  await linkLibraries(root, folder);
  expect(await withReadOnlyPackage(() => linkLibraries(root, folder))).toBeNull();
});
