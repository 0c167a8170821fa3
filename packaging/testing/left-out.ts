import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';

/** Leaves a test out where it cannot run, and says why, so that nobody takes its silence for success. */
export function leaveOut(context: TestContext, why: string): never {
  console.log(`Left out: ${why}`);
  return context.skip(why);
}

/** Goes on only where all these programs are, each with the package of Debian that has it. */
export function needs(context: TestContext, programs: Record<string, string>): void {
  for (const [program, from] of Object.entries(programs)) {
    const there = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
    if (!there) leaveOut(context, `${program} is not on this system (Debian: apt-get install ${from}).`);
  }
}

const cache = fileURLToPath(new URL('../../.cache/installers/', import.meta.url));

/** A file of a package that `npm run installers` fetches. */
export function fetchedFile(context: TestContext, name: string, file: string): Buffer {
  const folder = existsSync(cache) ? readdirSync(cache).find((entry) => entry.startsWith(name)) : undefined;
  return folder ? readFileSync(join(cache, folder, file)) : leaveOut(context, `${name} is not here; npm run installers fetches it.`);
}
