import { link, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const oldOf = (program: string): string => `${program}.old`;

/**
 * Swaps the staged program in and keeps the old one. A whole program is in its place at each moment, except on Windows, where a running program can
 * be moved and not replaced: if the second step fails there, the old one is moved back.
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

/** The old program may itself still run, in a session that is older than it: then it cannot be removed, and another name is taken. */
async function freeName(program: string): Promise<string> {
  const old = oldOf(program);
  const left = (await readdir(dirname(program))).filter((name) => name.startsWith(basename(old)));
  const kept = await Promise.all(
    left.map((name) =>
      rm(join(dirname(program), name), { force: true }).then(
        () => null,
        () => name,
      ),
    ),
  );
  for (let n = 0; ; n++) {
    const name = n === 0 ? old : `${old}${n}`;
    if (!kept.includes(basename(name))) return name;
  }
}
