import type { Os } from '../format.ts';
import { type FoundAddresses, findAddresses } from './find-address.ts';
import { layersOf } from './layers.ts';
import { normalizeCommand, withoutQuotes } from './normalize.ts';
import type { CompiledCommands, CompiledPattern } from './patterns.ts';
import { isOneOf, programName, startedFrom } from './started-from.ts';
import { hasTerm } from './terms.ts';

/** A program that was just started. */
export interface CommandSeen {
  os: Os;
  /** File name of the program. */
  name: string;
  command_line: string;
  /** File names of the programs of its ancestors, nearest first. */
  parents: string[];
  /** Linux and macOS: the other processes of its process group. */
  pipeline: { name: string; command_line: string }[];
}

export interface CommandMatch {
  /** Identifier of the pattern. */
  pattern: string;
  /** For people: "a pasted PowerShell command". */
  name: string;
  /** Host only, since the rest can hold secrets. Null if it is hidden. */
  address: string | null;
}

const maxPipeline = 16;

/** A pipeline as a user wrote it. The system lists its processes in any order; an interpreter reads what the others write. */
function joinPipeline({ name, command_line, pipeline }: CommandSeen, { readers }: CompiledCommands): string {
  const isLast = (program: string) => isOneOf(programName(program), readers);
  const processes = [...pipeline.slice(0, maxPipeline), { name, command_line }];
  return [...processes.filter((process) => !isLast(process.name)), ...processes.filter((process) => isLast(process.name))]
    .map((process) => process.command_line)
    .join(' | ');
}

function addressFor({ address }: CompiledPattern, { web, network }: FoundAddresses): { host: string | null } | null {
  const wanted = address === 'network' ? network : address === 'web' ? web : [...web, ...network];
  if (address === 'none') return { host: wanted[0] ?? null };
  return wanted[0] === undefined ? null : { host: wanted[0] };
}

/**
 * Whether a user was made to paste this command: it was started from the desktop, a terminal or a browser's file dialog, and fetches
 * something and runs it. The text behind the command, such as a false confirmation, makes no difference. The time is proportional to the
 * length of the command, of which at most 65,536 characters are read.
 */
export function matchCommand(seen: CommandSeen, commands: CompiledCommands): CommandMatch | null {
  const from = startedFrom(seen.parents, seen.os, commands);
  if (from === null) return null;
  const program = programName(seen.name);
  const candidates = commands.patterns[seen.os].filter(
    ({ programs, started_from }) => started_from.includes(from) && isOneOf(program, programs),
  );
  if (candidates.length === 0) return null;
  const layers = layersOf(joinPipeline(seen, commands), seen.os);
  // No term goes across a line.
  const text = layers.map((layer) => normalizeCommand(layer, seen.os)).join(' \n ');
  const fitting = candidates.filter(({ must }) => must.every((terms) => terms.some((term) => hasTerm(text, term))));
  if (fitting.length === 0) return null;
  // The innermost text first, since what surrounds it may name other hosts.
  const addresses = findAddresses(
    layers
      .toReversed()
      .map((layer) => withoutQuotes(layer, seen.os))
      .join(' \n '),
  );
  for (const pattern of fitting) {
    const found = addressFor(pattern, addresses);
    if (found) return { pattern: pattern.identifier, name: pattern.name, address: found.host };
  }
  return null;
}
