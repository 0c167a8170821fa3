import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import type { KeysPayload } from '@porchlight/definitions/feed-format.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import { expect, test } from 'vitest';
import { newReleaseKey, releaseKey, releaseKeyFor } from './release-key.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

test('A12: a new release key remembers the earlier ones, each of which signs the next; only their owner can read the files', async () => {
  const path = join(await temporaryFolder(), 'release-key.json');
  const firstKey = await releaseKey(path);
  expect(await releaseKey(path)).toEqual(firstKey);
  const statements = [];
  for (const _ of [1, 2])
    statements.push(JSON.parse(await readFile(await newReleaseKey(path, new Date()), 'utf8')) as KeysPayload['release'][0]);
  const lastKey = await releaseKey(path);
  expect([lastKey.former.length, lastKey.former[1]]).toEqual([2, firstKey.public_key]);
  expect(releaseKeyAfter(firstKey.public_key, [{ release: statements } as KeysPayload])).toBe(lastKey.public_key);
  for (const file of [path, `${path}.old`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a first build makes a release key and says so, and the next ones use it, also after it was replaced', async () => {
  const folder = await temporaryFolder();
  const [out, path] = [join(folder, 'installers'), join(folder, 'release-key.json')];
  const first = await releaseKeyFor(out, path);
  expect(first.isNew).toBe(true);
  await mkdir(join(out, 'update'), { recursive: true });
  await writeFile(join(out, 'update', 'manifest.json'), JSON.stringify(signDocument({}, first.key)));
  expect(await releaseKeyFor(out, path)).toEqual({ key: first.key, isNew: false });
  await newReleaseKey(path, new Date());
  expect((await releaseKeyFor(out, path)).key.former).toEqual([first.key.public_key]);
});

test.each(['update/manifest.json', 'programs/linux-x64/operator.json'])(
  'the release key of the installers that are there is never replaced silently, if %s is signed with it',
  async (signed) => {
    const folder = await temporaryFolder();
    const [out, path] = [join(folder, 'installers'), join(folder, 'release-key.json')];
    await mkdir(join(out, signed, '..'), { recursive: true });
    await writeFile(join(out, signed), JSON.stringify(signDocument({}, await releaseKey(path))));
    await rename(path, `${path}.elsewhere`);
    await expect(releaseKeyFor(out, path)).rejects.toMatchObject({
      reason: 'release_key',
      message: expect.stringContaining('there is none'),
    });
    await expect(stat(path)).rejects.toThrow('ENOENT');
    const other = await releaseKey(path);
    await expect(releaseKeyFor(out, path)).rejects.toMatchObject({ reason: 'release_key' });
    expect(await releaseKey(path)).toEqual(other);
  },
);

test('a release key that cannot be read is an error, and stays as it is', async () => {
  const path = join(await temporaryFolder(), 'release-key.json');
  await writeFile(path, '{"public_key":');
  await expect(releaseKey(path)).rejects.toThrow();
  expect(await readFile(path, 'utf8')).toBe('{"public_key":');
});
