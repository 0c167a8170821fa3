import { type CompiledSet, matchProgram } from '@porchlight/definitions/match.ts';
import type { Os, ProcessSeen } from '../../os/port.ts';
import type { ProgramFinding } from './detector.ts';

/** Reads the folder of a program only if nothing else matches. Not every system reads it. */
export function detectPrograms(processes: ProcessSeen[], definitions: CompiledSet, namedLibraries: Os['namedLibraries']): ProgramFinding[] {
  const matchOf = ({ program, path }: ProcessSeen) => {
    const match = matchProgram(program, definitions);
    if (match || !namedLibraries) return match;
    const libraries = namedLibraries(path, definitions.libraries[program.os]);
    return libraries.length ? matchProgram({ ...program, libraries }, definitions) : null;
  };
  return processes.flatMap((process) => {
    const match = matchOf(process);
    return match ? [{ kind: 'program', match, process }] : [];
  });
}
