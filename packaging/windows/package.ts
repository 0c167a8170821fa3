import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BuildFailed } from '../build-failed.ts';
import { signatureNotMade, signerOf, type WindowsSigning } from './sign.ts';

const run = promisify(execFile);
const pathTo = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const script = pathTo('./porchlight.nsi');

export interface WindowsParts {
  version: string;
  /** The programs among them are signed already. */
  files: Record<string, Buffer>;
  work: string;
  /** Null: the uninstaller and the installer are not signed. */
  signing: WindowsSigning | null;
}

/** Builds the installer with best compression, which takes a minute. Null without makensis (Debian: nsis). */
export async function windowsInstaller({ version, files, work, signing }: WindowsParts): Promise<Buffer | null> {
  await mkdir(work, { recursive: true });
  const folder = await mkdtemp(join(work, 'exe-'));
  try {
    const [stageFolder, out] = [join(folder, 'stage'), join(folder, 'porchlight.exe')];
    await mkdir(stageFolder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(stageFolder, name), content);
    const given = [`-DSTAGE=${stageFolder}`, `-DOUT=${out}`, `-DVERSION=${version}`, '-DSCRIPT='];
    const { args, env } = signing ? uninstallerSigner(signing) : { args: [], env: {} };
    await run('makensis', ['-V1', ...given, ...args, script], { env: { ...process.env, ...env } });
    // The installer is signed last, because its signature covers all that is in it.
    return signing ? await signerOf(signing)(await readFile(out)) : await readFile(out);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && (err as { path?: string }).path === 'makensis') return null;
    throw signatureFailure(err) ?? err;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How makensis signs the uninstaller, which exists only while it packs. */
function uninstallerSigner(signing: WindowsSigning): { args: string[]; env: NodeJS.ProcessEnv } {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', pathTo('./sign-uninstaller.ts')];
  return {
    args: [`-DSIGN=${command.map((word) => `"${word}"`).join(' ')}`],
    env: { PORCHLIGHT_WINDOWS_SIGNING: JSON.stringify(signing) },
  };
}

/** makensis prints what the program wrote that signs the uninstaller. */
function signatureFailure(err: unknown): BuildFailed | null {
  const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string };
  const sentence = `${stdout}\n${stderr}`.split('\n').find((line) => line.startsWith(signatureNotMade));
  return sentence === undefined ? null : new BuildFailed('other', sentence);
}
