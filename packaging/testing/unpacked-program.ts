import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program that `npm test` only unpacks from a Debian package, into .cache: installing the package would start a service. */
export interface UnpackedProgram {
  name: string;
  debianPackage: string;
  /** In the package, and on a system that has it installed. */
  path: string;
  /** A folder of libraries that the program needs, in another package of the same source. */
  libraries?: { debianPackage: string; path: string };
}

const cache = fileURLToPath(new URL('../../.cache', import.meta.url));

/** Where `npm test` unpacks it. */
export const unpackedPath = ({ name }: UnpackedProgram): string => join(cache, name, name);

/** Where `npm test` unpacks its libraries: the value of LD_LIBRARY_PATH for an unpacked program. */
export const unpackedLibraries = (program: UnpackedProgram): string => join(dirname(unpackedPath(program)), 'lib');

/** The path of the program, or null. */
export function findProgram(program: UnpackedProgram): string | null {
  const inPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program.name));
  return [...inPath, program.path, unpackedPath(program)].find((path) => existsSync(path)) ?? null;
}
