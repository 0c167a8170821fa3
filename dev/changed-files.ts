import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files that differ from where this branch left `branch`, or from the last commit where there is no such branch; null without git or for an
 * unknown revision.
 */
export function changedFiles(folder: string, branch = 'main'): string[] | null {
  return differing(folder, branch)?.filter((file) => existsSync(join(folder, file))) ?? null;
}

/** Files of `main` that are gone, also those that have another name now: what imports them no longer compiles. */
export function removedFiles(folder: string): string[] {
  return differing(folder)?.filter((file) => !existsSync(join(folder, file))) ?? [];
}

function differing(folder: string, branch = 'main'): string[] | null {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter(Boolean) : null;
  };
  const found = [branch, `origin/${branch}`].map((one) => git('merge-base', 'HEAD', one)?.[0]).find(Boolean);
  if (!found && branch !== 'main') return null;
  const base = found ?? 'HEAD';
  const tracked = git('diff', '--name-only', '--no-renames', '--relative', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return tracked && untracked && [...new Set([...tracked, ...untracked])].toSorted();
}
