import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { firstBytes } from './plain-file.ts';

/** Programs that only load libraries are small. */
const MAX_PROGRAM_BYTES = 16 << 20;

/** `libraries` beside the program at `path` whose names it contains. Reads a program only if it has one beside it. Empty when that fails. */
export function namedLibraries(path: string, libraries: string[]): string[] {
  const folder = dirname(path);
  const presentLibraries = libraries.filter((library) => existsSync(join(folder, library)));
  if (!presentLibraries.length) return [];
  const program = firstBytes(path, MAX_PROGRAM_BYTES, MAX_PROGRAM_BYTES)?.toString('latin1').toLowerCase();
  // A script names the library in order to remove it, and is no build.
  if (program === undefined || program.startsWith('#!')) return [];
  return presentLibraries.filter((library) => {
    const name = basename(library)
      .replace(/\.(dll|so)$/i, '')
      .toLowerCase();
    // A letter has one byte, or two in the texts of Windows and .NET.
    return program.includes(name) || program.includes(name.split('').join('\0'));
  });
}
