import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { executable } from './executable.ts';
import { fetchPackageFile } from './fetch.ts';
import { macIdentifier } from './macos/package.ts';
import { nativeParts, runtimes, type Target } from './targets.ts';

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
}

/** The file name has a version, so that an update does not touch the file in use. */
export const nativeName = (target: Target): string => `koffi-${nativeParts[target].version}.node`;

export async function buildProgram({ target, version, key, former = [], cache }: ProgramParts): Promise<Program> {
  const host = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  if (!(host in runtimes)) throw new Error(`Installers are built on Linux (x64), macOS or Windows (x64); this is ${host}.`);
  const [runtime, hostRuntime, native] = [
    await fetchPackageFile(runtimes[target], cache),
    await fetchPackageFile(runtimes[host as Target], cache),
    await fetchPackageFile(nativeParts[target], cache),
  ];
  const workFolder = join(cache, 'work');
  await mkdir(workFolder, { recursive: true });
  const script = await bundle(target, nativeName(target), { version, target, key, former });
  const agent = await executable({ target, script, runtime, hostRuntime, version, identifier: macIdentifier, work: workFolder });
  return { target, agent, native: { name: nativeName(target), content: await readFile(native) } };
}
