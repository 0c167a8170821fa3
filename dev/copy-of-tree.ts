import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from './root.ts';

/** Copies the sources to a temporary folder that shares the installed packages, for a test that changes sources. The caller removes it. */
export async function copyOfTree(): Promise<string> {
  const copyFolder = await mkdtemp(join(tmpdir(), 'porchlight-copy-'));
  const skippedNames = new Set(['node_modules', '.git', '.cache', 'data', 'test-results']);
  for (const name of readdirSync(root))
    if (!skippedNames.has(name))
      await cp(join(root, name), join(copyFolder, name), { recursive: true, filter: (path) => basename(path) !== 'dist' });
  await mkdir(join(copyFolder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@porchlight') await symlink(join(root, 'node_modules', name), join(copyFolder, 'node_modules', name));
  await cp(join(root, 'node_modules', '@porchlight'), join(copyFolder, 'node_modules', '@porchlight'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copyFolder;
}
