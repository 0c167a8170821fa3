import { execFileSync } from 'node:child_process';
import { constants, copyFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/** What is built from the sources is skipped in every folder. */
const buildsOnly = new Set(['dist']);

/** Copies the sources to a temporary folder that shares the installed packages, for a test that changes sources. The caller removes it. */
export async function copyOfTree(): Promise<string> {
  const copyFolder = await mkdtemp(join(tmpdir(), 'porchlight-copy-'));
  copyFiles(root, copyFolder, new Set(['node_modules', '.git', '.cache', 'data', 'test-results', 'dist']));
  await sharePackages(copyFolder);
  return copyFolder;
}

/** The sources of a commit, as `copyOfTree`. */
export async function treeOfCommit(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-commit-'));
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await sharePackages(folder);
  return folder;
}

/** The workspaces are those of the copy, the packages those of this tree. */
async function sharePackages(copyFolder: string): Promise<void> {
  await mkdir(join(copyFolder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@porchlight') await symlink(join(root, 'node_modules', name), join(copyFolder, 'node_modules', name));
  await cp(join(root, 'node_modules', '@porchlight'), join(copyFolder, 'node_modules', '@porchlight'), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

/**
 * The `cp` of Node makes several system calls for each of thousands of files, and takes twice the processor time. The copy has no hard
 * links, because a test that writes to it would change the source.
 */
function copyFiles(from: string, to: string, skippedNames: Set<string>): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (skippedNames.has(entry.name)) continue;
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), copy);
    else if (!entry.isDirectory()) copyFileSync(source, copy, constants.COPYFILE_FICLONE);
    else {
      mkdirSync(copy);
      copyFiles(source, copy, buildsOnly);
    }
  }
}
