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
  await mkdir(join(copyFolder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@porchlight') await symlink(join(root, 'node_modules', name), join(copyFolder, 'node_modules', name));
  await cp(join(root, 'node_modules', '@porchlight'), join(copyFolder, 'node_modules', '@porchlight'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copyFolder;
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
