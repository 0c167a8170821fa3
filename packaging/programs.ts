import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { executable } from './executable.ts';
import { fetched } from './fetch.ts';
import { macIdentifier } from './macos/package.ts';
import { nativeParts, runtimes, type Target } from './targets.ts';

/** The agent for one system: the program itself, and the native part that it loads from beside it, under a name of its version. */
export interface Program {
  target: Target;
  agent: Buffer;
  native: { name: string; content: Buffer };
}

export interface ProgramParts {
  target: Target;
  version: string;
  /** Public half of the operator's release key. */
  key: string;
  /** Public halves of those before it. */
  former?: string[];
  /** A folder for what is fetched and made on the way. */
  cache: string;
}

/** How the native part is called beside the program: an update brings a new one without touching the one in use. */
export const nativeName = (target: Target): string => `koffi-${nativeParts[target].version}.node`;

export async function buildProgram({ target, version, key, former = [], cache }: ProgramParts): Promise<Program> {
  const host = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  if (!(host in runtimes)) throw new Error(`Installers are built on Linux (x64), macOS or Windows (x64); this is ${host}.`);
  const [runtime, hostRuntime, native] = [
    await fetched(runtimes[target], cache),
    await fetched(runtimes[host as Target], cache),
    await fetched(nativeParts[target], cache),
  ];
  const work = join(cache, 'work');
  await mkdir(work, { recursive: true });
  const script = await bundle(target, nativeName(target), { version, target, key, former });
  const agent = await executable({ target, script, runtime, hostRuntime, version, identifier: macIdentifier, work });
  return { target, agent, native: { name: nativeName(target), content: await readFile(native) } };
}
