import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./porchlight.nsi', import.meta.url));

export interface WindowsParts {
  version: string;
  /** What is installed, by name. */
  files: Record<string, Buffer>;
  /** A folder for what is made on the way. */
  work: string;
}

/** The installer for Windows, packed as small as it goes, which takes a minute. Null where there is no makensis (Debian: nsis). */
export async function windowsInstaller({ version, files, work }: WindowsParts): Promise<Buffer | null> {
  await mkdir(work, { recursive: true });
  const folder = await mkdtemp(join(work, 'exe-'));
  try {
    const [stage, out] = [join(folder, 'stage'), join(folder, 'porchlight.exe')];
    await mkdir(stage);
    for (const [name, content] of Object.entries(files)) await writeFile(join(stage, name), content);
    await run('makensis', ['-V1', `-DSTAGE=${stage}`, `-DOUT=${out}`, `-DVERSION=${version}`, '-DSCRIPT=', script]);
    return await readFile(out);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && (err as { path?: string }).path === 'makensis') return null;
    throw err;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
