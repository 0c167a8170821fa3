import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { TarEntry } from '@porchlight/packaging/linux/tar.ts';
import { git } from './git.ts';
import { Refused } from './refused.ts';

const builtFolder = 'dashboard/dist';

/** What a server runs from: all that an image has, which `.dockerignore` says, and the built dashboard. */
export async function operatorFiles(checkout: string): Promise<TarEntry[]> {
  const isIgnored = ignoredBy(await readFile(join(checkout, '.dockerignore'), 'utf8'));
  const committed = git(checkout, ['ls-files', '--stage', '-z']).split('\0').flatMap(readStaged);
  const files = committed.filter(({ path }) => !isIgnored(path));
  if (!existsSync(join(checkout, builtFolder, 'index.html')))
    throw new Refused(`${builtFolder} has no page, so the dashboard was not built.`);
  const built = readdirSync(join(checkout, builtFolder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ path: posix.relative(checkout, posix.join(entry.parentPath, entry.name)), mode: 0o644 }));
  const sorted = [...files, ...built].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return Promise.all(sorted.map(async (entry) => ({ ...entry, bytes: await readFile(join(checkout, entry.path)) })));
}

/** A line of `git ls-files --stage`: mode, hash and number, a tab, and the path. Only what git knows of the mode counts. */
function readStaged(line: string): { path: string; mode: number }[] {
  const [facts = '', path] = line.split('\t');
  return path ? [{ path, mode: facts.startsWith('100755') ? 0o755 : 0o644 }] : [];
}

/** Matches paths as Docker does: the last pattern that fits decides, and a pattern that fits a folder fits all in it. */
export function ignoredBy(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ ignores: !line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  return (path) => {
    const segments = path.split('/');
    const prefixes = segments.map((_segment, n) => segments.slice(0, n + 1).join('/'));
    const fits = (pattern: string) => prefixes.some((prefix) => posix.matchesGlob(prefix, pattern));
    return patterns.findLast(({ pattern }) => fits(pattern))?.ignores ?? false;
  };
}
