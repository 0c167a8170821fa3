import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import type { KeysPayload } from '@porchlight/definitions/feed-format.ts';
import { expect, test } from 'vitest';
import { newReleaseKey, releaseKey } from './release-key.ts';
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
