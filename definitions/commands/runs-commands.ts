import type { Os } from '../format.ts';
import type { CompiledCommands } from './patterns.ts';
import { isOneOf, programName } from './started-from.ts';

/** Whether a pattern is about programs with this file name, or it fetches files, so that reading its command line is worth the time. */
export function runsCommands({ os, name }: { os: Os; name: string }, { patterns, fetched_files }: CompiledCommands): boolean {
  const program = programName(name);
  return [...patterns[os], ...fetched_files.savers].some(({ programs }) => isOneOf(program, programs));
}
