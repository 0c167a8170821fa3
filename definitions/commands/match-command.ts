import type { Os } from '../format.ts';
import { withoutComments } from './comments.ts';
import { type FoundAddresses, findAddresses } from './find-address.ts';
import { layersOf } from './layers.ts';
import { startedByName, startsByName } from './named-start.ts';
import { normalizeCommand, withoutQuotes } from './normalize.ts';
import type { CompiledCommands, CompiledPattern } from './patterns.ts';
import { isOneOf, programName, startedFrom } from './started-from.ts';
import { hasTerm, mayHave, type Term, wordSet } from './terms.ts';

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
function joinPipeline({ os, name, command_line, pipeline }: CommandSeen, { readers }: CompiledCommands): string {
  const isLast = (program: string) => isOneOf(programName(program), readers);
  const processes = [...pipeline.slice(0, maxPipeline), { name, command_line }];
  return [...processes.filter((process) => !isLast(process.name)), ...processes.filter((process) => isLast(process.name))]
    .map((process) => (os === 'windows' ? process.command_line : withoutComments(process.command_line)))
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
 * length of the command, of which at most 32,768 characters are read.
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
  const normalized = layers.map((layer) => normalizeCommand(layer, seen.os)).join(' \n ');
  const text = startsByName(normalized) ? `${normalized} \n ${startedByName}` : normalized;
  const words = wordSet(text);
  const known = new Map<Term, boolean>();
  const has = (term: Term) => {
    const found = known.get(term) ?? (mayHave(words, term) && hasTerm(text, term));
    known.set(term, found);
    return found;
  };
  const fitting = candidates.filter(({ must }) => must.every((terms) => terms.some(has)));
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
