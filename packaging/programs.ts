import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { executable } from './executable.ts';
import { fetchPackageFile } from './fetch.ts';
import { macIdentifier } from './macos/package.ts';
import { nativeParts, runtimes, type Target } from './targets.ts';
import { type SignProgram, unsigned } from './windows/sign.ts';

export interface Program {
  target: Target;
  agent: Buffer;
  native: { name: string; content: Buffer };
}

export interface ProgramParts {
  target: Target;
  version: string;
  key: string;
  former?: string[];
  cache: string;
  /** Signs what runs on Windows. */
  sign?: SignProgram;
}

/** The file name has a version, so that an update does not touch the file in use. */
export const nativeName = (target: Target): string => `koffi-${nativeParts[target].version}.node`;

export async function buildProgram({ target, version, key, former = [], cache, sign = unsigned }: ProgramParts): Promise<Program> {
  const host = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  if (!(host in runtimes)) throw new Error(`Installers are built on Linux (x64), macOS or Windows (x64); this is ${host}.`);
  const [runtime, hostRuntime, nativePath] = [
    await fetchPackageFile(runtimes[target], cache),
    await fetchPackageFile(runtimes[host as Target], cache),
    await fetchPackageFile(nativeParts[target], cache),
  ];
  const signed = target === 'win-x64' ? sign : unsigned;
  const native = await nativeOf(target, await readFile(nativePath), signed);
  const workFolder = join(cache, 'work');
  await mkdir(workFolder, { recursive: true });
  const script = await bundle(target, native.name, { version, target, key, former });
  const agent = await executable({ target, script, runtime, hostRuntime, version, identifier: macIdentifier, work: workFolder });
  return { target, agent: await signed(agent), native };
}

/** Writes the program of the release checks: a script, and the Node of the installers that runs it. Returns its folder. */
export async function writeSelfCheck(target: Target, cache: string, out: string): Promise<string> {
  const folder = join(out, target);
  await mkdir(folder, { recursive: true });
  const runtime = await fetchPackageFile(runtimes[target], cache);
  await copyFile(runtime, join(folder, basename(runtime)));
  const entry = fileURLToPath(new URL('./self-check/main.ts', import.meta.url));
  await writeFile(join(folder, 'self-check.cjs'), await bundle(target, nativeName(target), null, entry));
  return folder;
}

/**
 * Each signature is another one, because it has a time. So the name of a signed library has its hash: an update must not write over the file that a
 * running agent has open.
 */
async function nativeOf(target: Target, content: Buffer, sign: SignProgram): Promise<Program['native']> {
  const signed = await sign(content);
  if (signed === content) return { name: nativeName(target), content };
  const hash = createHash('sha256').update(signed).digest('hex').slice(0, 12);
  return { name: nativeName(target).replace(/\.node$/, `-${hash}.node`), content: signed };
}
