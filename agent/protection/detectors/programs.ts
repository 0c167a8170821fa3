import type { Match } from '@porchlight/definitions/format.ts';
import { type CompiledSet, matchProgram } from '@porchlight/definitions/match.ts';
import { isOutgoingBuild } from '@porchlight/definitions/outgoing.ts';
import type { Os, ProcessSeen } from '../../os/port.ts';
import type { ProgramFinding } from './detector.ts';

/**
 * What a loader or an interpreter runs is what is matched. Reads the folder of a program only if nothing else matches, or a client does. Not
 * every system reads it.
 */
export function detectPrograms(processes: ProcessSeen[], definitions: CompiledSet, namedLibraries: Os['namedLibraries']): ProgramFinding[] {
  const isClient = ({ identifier }: Match, { runs, program }: ProcessSeen) => {
    const outgoing = definitions.outgoing.get(identifier);
    // Wine runs programs whose version information is unknown.
    const seen = runs ? { original_name: runs.program.name, ...runs.program } : program;
    return outgoing !== undefined && isOutgoingBuild(seen, outgoing);
  };
  return processes.flatMap((process): ProgramFinding[] => {
    const { program, path } = process.runs ?? process;
    const match = matchProgram(program, definitions);
    const client = match && isClient(match, process) ? match : null;
    if (match && !client) return [{ kind: 'program', match, process }];
    const libraries = namedLibraries?.(path, definitions.libraries[program.os]) ?? [];
    // A library says more than version information, which a build under the name of a viewer has too.
    const byLibrary = libraries.length
      ? matchProgram(client ? { os: program.os, name: '', libraries } : { ...program, libraries }, definitions)
      : null;
    if (byLibrary) return [{ kind: 'program', match: byLibrary, process }];
    return client ? [{ kind: 'program', match: client, process, is_client: true }] : [];
  });
}
