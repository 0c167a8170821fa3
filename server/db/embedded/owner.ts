import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcess } from './processes.ts';
import { FolderInUse } from './refusals.ts';

/** Locks a folder for this process. Throws FolderInUse when a living process has it. */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const file = join(folder, 'owner');
  const ownEntry = `${process.pid} ${(await readProcess(process.pid))?.startTime ?? ''}`;
  const draftFile = `${file}.${process.pid}`;
  for (;;) {
    const currentOwner = await readFile(file, 'utf8').catch(() => null);
    if (currentOwner !== null && currentOwner !== ownEntry) {
      const [pid = '', ...startTime] = currentOwner.split(' ');
      const processInfo = await readProcess(Number(pid));
      if (processInfo && !processInfo.zombie && processInfo.startTime === startTime.join(' ')) throw new FolderInUse(folder, Number(pid));
      await removeStale(file, currentOwner);
    }
    if (currentOwner === ownEntry) break;
    // A hard link is created atomically, and only if its name is free.
    await writeFile(draftFile, ownEntry);
    const wasLocked = await link(draftFile, file).then(
      () => true,
      () => false,
    );
    await rm(draftFile, { force: true });
    if (wasLocked) break;
  }
  return { release: () => rm(file, { force: true }) };
}

/** Removes a stale lock file, unless another process has replaced it. */
async function removeStale(file: string, stale: string): Promise<void> {
  const movedFile = `${file}.stale.${process.pid}`;
  await rename(file, movedFile).catch(() => {});
  const movedEntry = await readFile(movedFile, 'utf8').catch(() => stale);
  if (movedEntry !== stale) await link(movedFile, file).catch(() => {});
  await rm(movedFile, { force: true });
}
