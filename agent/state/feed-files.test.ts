import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partOf } from '@porchlight/definitions/feed.ts';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { feedFiles } from './feed-files.ts';

type Saved = Parameters<ReturnType<typeof feedFiles>['save']>;

test('a new set of definitions removes the parts of the former one and what was half written, and leaves other files', async () => {
  const folder = await temporaryFolder();
  const feed = feedFiles(folder, async () => null);
  const save = async (text: string) => {
    const catalogue = Buffer.from(text);
    await feed.save({ feed: {}, set: { catalogue: partOf(catalogue), sites: null } } as unknown as Saved[0], { catalogue, sites: null });
    return `${partOf(catalogue).sha256}.part`;
  };
  const former = await save('former');
  for (const name of [`${former}.one.tmp`, 'feed.json.one.tmp', 'notes.txt']) await writeFile(join(folder, name), 'x');
  const newest = await save('newest');
  expect((await readdir(folder)).toSorted()).toEqual([newest, 'feed.json', 'feed.json.one.tmp', 'notes.txt'].toSorted());
});
