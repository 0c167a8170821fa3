import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seeProcess } from './processes.ts';
import { FolderInUse } from './refusals.ts';

/**
 * Takes a folder for this process, or throws FolderInUse when a living process has it. Two servers that each believe the database is
 * theirs would stop it under each other's feet.
 */
export async function takeFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const file = join(folder, 'owner');
  const mine = `${process.pid} ${(await seeProcess(process.pid))?.began ?? ''}`;
  const draft = `${file}.${process.pid}`;
  for (;;) {
    const theirs = await readFile(file, 'utf8').catch(() => null);
    if (theirs !== null && theirs !== mine) {
      const [pid = '', ...began] = theirs.split(' ');
      const seen = await seeProcess(Number(pid));
      if (seen && !seen.zombie && seen.began === began.join(' ')) throw new FolderInUse(folder, Number(pid));
      await removeStale(file, theirs);
    }
    if (theirs === mine) break;
    // A link appears whole or not at all, and only if the name is free.
    await writeFile(draft, mine);
    const taken = await link(draft, file).then(
      () => true,
      () => false,
    );
    await rm(draft, { force: true });
    if (taken) break;
  }
  return { release: () => rm(file, { force: true }) };
}

/** Removes the note of a dead owner, unless somebody has put a new one there since we read it. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.stale.${process.pid}`;
  await rename(file, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => stale);
  if (moved !== stale) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}
