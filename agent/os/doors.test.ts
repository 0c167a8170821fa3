import { chmod, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { until } from '../testing/until.ts';
import { programStamp, watchFolders } from './doors.ts';

describe('the stamp of our program', () => {
  const makeProgram = async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'lib'));
    for (const name of ['agent', 'lib/native.node']) await writeFile(join(folder, name), 'content');
    return folder;
  };

  it.each<[string, (folder: string) => Promise<unknown>, boolean]>([
    ['a file that is written', (folder) => writeFile(join(folder, 'agent'), 'other'), true],
    ['a file in a folder below that is written', (folder) => writeFile(join(folder, 'lib/native.node'), 'other content'), true],
    ['a deleted file', (folder) => rm(join(folder, 'agent')), true],
    ['a new file', (folder) => writeFile(join(folder, 'evil.node'), ''), true],
    ['a renamed file', (folder) => rename(join(folder, 'agent'), join(folder, 'agent2')), true],
    [
      'a file that is replaced by the same content and time',
      async (folder) => {
        await writeFile(join(folder, 'x.new'), 'content');
        await utimes(join(folder, 'x.new'), new Date(0), new Date(0));
        await rename(join(folder, 'x.new'), join(folder, 'agent'));
      },
      true,
    ],
    [
      'a symbolic link in place of a file',
      async (folder) => {
        await rm(join(folder, 'agent'));
        await symlink('/bin/sh', join(folder, 'agent'));
      },
      true,
    ],
    ['the deleted folder', (folder) => rm(folder, { recursive: true }), true],
    ['a file that is read', (folder) => readFile(join(folder, 'agent')), false],
    ['another mode', (folder) => chmod(join(folder, 'agent'), 0o700), false],
    ['the download of an update', (folder) => writeFile(join(folder, 'agent.part'), 'new'), false],
  ])('%s', async (_title, change, differs) => {
    const folder = await makeProgram();
    const before = await programStamp([folder]);
    await change(folder);
    expect((await programStamp([folder])) !== before).toBe(differs);
  });

  it('only files with the names of the program count where others are beside it', async () => {
    const folder = await makeProgram();
    const stamp = () => programStamp([folder], (name) => name === 'agent');
    const before = await stamp();
    await writeFile(join(folder, 'state.json'), '{}');
    expect(await stamp()).toBe(before);
    await writeFile(join(folder, 'agent'), 'other');
    expect(await stamp()).not.toBe(before);
  });
});

describe('the watch of folders', () => {
  const watched = async (folders: string[]) => {
    const clock = manualClock();
    let calls = 0;
    const watch = watchFolders(folders, () => calls++, clock.after);
    onTestFinished(() => watch.close());
    /** In less time than until the next poll. */
    const announced = async () => {
      const [since, before] = [clock.now(), calls];
      await until('the call', () => {
        clock.advance(50);
        expect(clock.now() - since).toBeLessThan(29_000);
        return calls > before;
      });
    };
    return { clock, watch, announced, calls: () => calls };
  };

  it('calls once for many changes in a short time', async () => {
    const folder = await temporaryFolder();
    const { announced, calls } = await watched([folder, join(folder, 'missing')]);
    for (let n = 0; n < 50; n++) await writeFile(join(folder, `file-${n}`), '');
    await announced();
    expect(calls()).toBe(1);
  });

  it('calls every 30 seconds when nothing is announced, and not once it is closed', async () => {
    const { clock, watch, calls } = await watched([]);
    clock.advance(29_999);
    expect(calls()).toBe(0);
    clock.advance(60_001);
    expect(calls()).toBe(3);
    watch.close();
    clock.advance(90_000);
    expect(calls()).toBe(3);
  });

  it('announces changes in a folder that was made, or replaced, after the start', async () => {
    const parent = await temporaryFolder();
    const folder = join(parent, 'folder');
    const { clock, announced } = await watched([folder]);
    for (let round = 1; round <= 2; round++) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      clock.advance(30_000);
      await writeFile(join(folder, `file-${round}`), '');
      await announced();
    }
  });
});
