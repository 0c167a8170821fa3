import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signFile, sumsName } from './signature.ts';

/** Writes the files with their checksums into a folder that is there only when all of them are. */
export async function writeRelease(out: string, files: Map<string, Buffer>, key: string | null): Promise<void> {
  const part = `${out}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  const sums = [...files].map(([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  for (const [name, content] of files) await writeFile(join(part, name), content);
  await writeFile(join(part, sumsName), sums.join(''));
  if (key !== null) signFile(join(part, sumsName), key);
  await rm(out, { recursive: true, force: true });
  await rename(part, out);
}
