import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';

/** Skips a test and logs the reason, so that nobody takes it for passed. */
export function skipTest(context: TestContext, reason: string): never {
  console.log(`Left out: ${reason}`);
  return context.skip(reason);
}

/** Skips a test if a program is missing. `programs`: each with its Debian package. */
export function requirePrograms(context: TestContext, programs: Record<string, string>): void {
  for (const [program, debianPackage] of Object.entries(programs)) {
    const isInstalled = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
    if (!isInstalled) skipTest(context, `${program} is not on this system (Debian: apt-get install ${debianPackage}).`);
  }
}

const cache = fileURLToPath(new URL('../../.cache/installers/', import.meta.url));

export function fetchedFile(context: TestContext, name: string, file: string): Buffer {
  const folder = existsSync(cache) ? readdirSync(cache).find((entry) => entry.startsWith(name)) : undefined;
  return folder ? readFileSync(join(cache, folder, file)) : skipTest(context, `${name} is not here; npm run installers fetches it.`);
}
