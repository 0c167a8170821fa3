import { link, rename, rm, stat } from 'node:fs/promises';

/** Where the program was before the update. */
export const oldOf = (program: string): string => `${program}.old`;

/**
 * Puts the staged program in the place of the running one and keeps the old. At each moment there is a whole program in that place, except on
 * Windows, where a running program can be moved and not replaced: there it is the old one again when the second step fails.
 */
export async function swapIn(program: string, staged: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  const old = oldOf(program);
  await rm(old, { force: true });
  if (platform !== 'win32') {
    await link(program, old);
    await rename(staged, program);
    return;
  }
  await rename(program, old);
  await rename(staged, program).catch(async (err: unknown) => {
    await rename(old, program);
    throw err;
  });
}

/** After a start: when the program itself is missing, what was kept is put back. For who starts it. */
export async function restoreOld(program: string): Promise<void> {
  const there = await stat(program).catch(() => null);
  if (!there) await rename(oldOf(program), program);
}
