import type { Os } from '../format.ts';
import { compiledPatterns } from './patterns.ts';
import { isOneOf, programName } from './started-from.ts';

/** Whether a pattern is about programs with this file name, so that reading its command line is worth the time. */
export function runsCommands({ os, name }: { os: Os; name: string }): boolean {
  const program = programName(name);
  return compiledPatterns[os].some(({ programs }) => isOneOf(program, programs));
}
