import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Files that differ from the branch `main`, or from the last commit where there is no `main`; null without git. */
export function changedFiles(folder: string): string[] | null {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter(Boolean) : null;
  };
  const base = ['main', 'origin/main'].map((branch) => git('merge-base', 'HEAD', branch)?.[0]).find(Boolean) ?? 'HEAD';
  const changedList = git('diff', '--name-only', '--relative', base);
  const untrackedList = git('ls-files', '--others', '--exclude-standard');
  if (!changedList || !untrackedList) return null;
  return [...new Set([...changedList, ...untrackedList])].filter((file) => existsSync(join(folder, file))).toSorted();
}
