import { matchCommand } from '@porchlight/definitions/commands/match-command.ts';
import type { CompiledCommands } from '@porchlight/definitions/commands/patterns.ts';
import type { ProcessCommand, ProcessSeen } from '../../os/port.ts';
import type { StartFinding } from './detector.ts';

export interface ObservedCommand {
  process: ProcessSeen;
  command: ProcessCommand;
  /** Of the whole command, so that a yes or a no is about it alone, also when it is pasted again. */
  id: string;
}

/** Pasted commands that fetch and run something (P12.4). The other processes of a shell's pipeline belong to the start. */
export function detectCommands(observed: ObservedCommand[], commands: CompiledCommands): StartFinding[] {
  return observed.flatMap(({ process, id, command: { line, parents, pipeline } }): StartFinding[] => {
    const seen = { os: process.program.os, name: process.program.name, command_line: line, parents };
    const found = matchCommand({ ...seen, pipeline: pipeline.map((one) => ({ name: one.name, command_line: one.line })) }, commands);
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
