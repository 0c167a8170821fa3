import { link, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const oldOf = (program: string): string => `${program}.old`;

/**
 * Swaps in the staged program and keeps the old program. Atomic, except on Windows, where a running program can be moved but not replaced:
 * if the second step fails, the old program is moved back.
 */
export async function swapIn(program: string, staged: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  const old = platform === 'win32' ? await freeName(program) : oldOf(program);
  if (platform !== 'win32') {
    await rm(old, { force: true });
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

/** An old program that still runs in another session cannot be removed, so another name is used. */
async function freeName(program: string): Promise<string> {
  const old = oldOf(program);
  const oldNames = (await readdir(dirname(program))).filter((name) => name.startsWith(basename(old)));
  const inUse = await Promise.all(
    oldNames.map((name) =>
      rm(join(dirname(program), name), { force: true }).then(
        () => null,
        () => name,
      ),
    ),
  );
  for (let n = 0; ; n++) {
    const name = n === 0 ? old : `${old}${n}`;
    if (!inUse.includes(basename(name))) return name;
  }
}
