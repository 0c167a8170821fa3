import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./porchlight.nsi', import.meta.url));

export interface WindowsParts {
  version: string;
  files: Record<string, Buffer>;
  work: string;
}

/** Builds the installer with best compression, which takes a minute. Null without makensis (Debian: nsis). */
export async function windowsInstaller({ version, files, work }: WindowsParts): Promise<Buffer | null> {
  await mkdir(work, { recursive: true });
  const folder = await mkdtemp(join(work, 'exe-'));
  try {
    const [stageFolder, out] = [join(folder, 'stage'), join(folder, 'porchlight.exe')];
    await mkdir(stageFolder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(stageFolder, name), content);
    await run('makensis', ['-V1', `-DSTAGE=${stageFolder}`, `-DOUT=${out}`, `-DVERSION=${version}`, '-DSCRIPT=', script]);
    return await readFile(out);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && (err as { path?: string }).path === 'makensis') return null;
    throw err;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
