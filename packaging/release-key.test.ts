import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseKeyAfter } from '@porchlight/definitions/feed-chain.ts';
import type { KeysPayload } from '@porchlight/definitions/feed-format.ts';
import { expect, test } from 'vitest';
import { newReleaseKey, releaseKey } from './release-key.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

test('A12: a new release key remembers the earlier ones, each of which signs the next; only their owner can read the files', async () => {
  const path = join(await temporaryFolder(), 'release-key.json');
  const first = await releaseKey(path);
  expect(await releaseKey(path)).toEqual(first);
  const statements = [];
  for (const _ of [1, 2])
    statements.push(JSON.parse(await readFile(await newReleaseKey(path, new Date()), 'utf8')) as KeysPayload['release'][0]);
  const last = await releaseKey(path);
  expect([last.former.length, last.former[1]]).toEqual([2, first.public_key]);
  expect(releaseKeyAfter(first.public_key, [{ release: statements } as KeysPayload])).toBe(last.public_key);
  for (const file of [path, `${path}.old`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
});
