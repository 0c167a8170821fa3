import { matchCommand } from '@porchlight/definitions/commands/match-command.ts';
import type { CompiledCommands } from '@porchlight/definitions/commands/patterns.ts';
import type { ProcessCommand, ProcessSeen } from '../../os/port.ts';
import type { StartFinding } from './detector.ts';

/** For people, and for the reason of a detection. */
const startOfFetched = { name: 'a pasted command that downloads and starts a program', pattern: 'fetched-then-started' };

export interface ObservedCommand {
  process: ProcessSeen;
  command: ProcessCommand;
  /** Where the file comes from that it starts, which a command before it fetched. */
  fetched_from: string | null;
  /** Of the whole command, so that a yes or a no is about it alone, also when it is pasted again. */
  id: string;
}

/** Pasted commands that fetch and run something (P12.4). The other processes of a shell's pipeline belong to the start. */
export function detectCommands(observed: ObservedCommand[], commands: CompiledCommands): StartFinding[] {
  return observed.flatMap(({ process, id, fetched_from, command: { line, parents, pipeline } }): StartFinding[] => {
    const seen = { os: process.program.os, name: process.program.name, command_line: line, parents };
    const matched = matchCommand({ ...seen, pipeline: pipeline.map((one) => ({ name: one.name, command_line: one.line })) }, commands);
    const found = matched ?? (fetched_from === null ? null : { ...startOfFetched, address: fetched_from });
    if (!found) return [];
    const name = `${found.name.charAt(0).toUpperCase()}${found.name.slice(1)}`;
    return [
      {
        kind: 'start',
        match: { identifier: `command-${id}`, name, category: 'PastedCommand', certainty: 'certain', why: [`command=${found.pattern}`] },
        process,
        roots: [process, ...pipeline].map(({ pid, started }) => ({ pid, started })),
        details: found.address ?? process.path,
      },
    ];
  });
}
