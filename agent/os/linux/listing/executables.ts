import { join } from 'node:path';
import { withLinkedFile } from '../../../lib/plain-file.ts';
import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing, StampedFile } from '../../port.ts';
import { entriesOf } from './read.ts';

/** How many programs of one folder are looked at, and how deep. */
const MAX_COUNT = 200;
const deepest = 3;

/** Is it a program by its first bytes: ELF (AppImages too), a script, a Windows program? */
export async function isExecutable(path: string): Promise<boolean> {
  const is = await withLinkedFile(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const magic = buffer.toString('latin1', 0, bytesRead);
    return magic === '\x7fELF' || magic.startsWith('#!') || magic.startsWith('MZ');
  });
  return is ?? false;
}

async function programsBelow(folder: string, depth = 1): Promise<StampedFile[]> {
  const found: StampedFile[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile() && (await isExecutable(path))) found.push(...(await stamped(path)));
    if (entry.isDirectory() && depth < deepest) found.push(...(await programsBelow(path, depth + 1)));
    if (found.length >= MAX_COUNT) break;
  }
  return found.slice(0, MAX_COUNT);
}

/** Nothing when it is no plain file. */
export async function stamped(path: string): Promise<StampedFile[]> {
  const stamp = await stampAt(path);
  return stamp === null ? [] : [{ path, stamp }];
}

/** What lies in /opt: a folder for each product. `packaged`: names that a package manager answers for. */
export async function optional(root: string, packaged: Set<string>): Promise<FoundListing['programs']> {
  const folders = (await entriesOf(join(root, 'opt'))).filter((e) => e.isDirectory());
  return Promise.all(
    folders.map(async ({ name }) => {
      const path = join(root, 'opt', name);
      if (packaged.has(name.toLowerCase())) return { name, path, package: 'dpkg' };
      return { name, path: `${path}/`, files: await programsBelow(path) };
    }),
  );
}
