import { join } from 'node:path';
import { withLinkedFile } from '../../../lib/plain-file.ts';
import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing, StampedFile } from '../../port.ts';
import { readEntries } from './read.ts';

/** Limits per folder: programs, depth. */
const MAX_COUNT = 200;
const MAX_DEPTH = 3;

/** True for ELF (also AppImage), scripts and Windows programs, by the first bytes. */
export async function isExecutable(path: string): Promise<boolean> {
  const isProgram = await withLinkedFile(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const magic = buffer.toString('latin1', 0, bytesRead);
    return magic === '\x7fELF' || magic.startsWith('#!') || magic.startsWith('MZ');
  });
  return isProgram ?? false;
}

async function programsBelow(folder: string, depth = 1): Promise<StampedFile[]> {
  const programs: StampedFile[] = [];
  for (const entry of await readEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile() && (await isExecutable(path))) programs.push(...(await stampFile(path)));
    if (entry.isDirectory() && depth < MAX_DEPTH) programs.push(...(await programsBelow(path, depth + 1)));
    if (programs.length >= MAX_COUNT) break;
  }
  return programs.slice(0, MAX_COUNT);
}

export async function stampFile(path: string): Promise<StampedFile[]> {
  const stamp = await stampAt(path);
  return stamp === null ? [] : [{ path, stamp }];
}

/** `packageNames`: of installed packages. */
export async function listOptPrograms(root: string, packageNames: Set<string>): Promise<FoundListing['programs']> {
  const folders = (await readEntries(join(root, 'opt'))).filter((e) => e.isDirectory());
  return Promise.all(
    folders.map(async ({ name }) => {
      const path = join(root, 'opt', name);
      if (packageNames.has(name.toLowerCase())) return { name, path, package: 'dpkg' };
      return { name, path: `${path}/`, files: await programsBelow(path) };
    }),
  );
}
