import { benignCommands } from './benign.ts';
import { type FoundAddresses, findAddresses } from './commands/find-address.ts';
import type { CommandPattern, CommandPatterns } from './commands/format.ts';
import { layersOf } from './commands/layers.ts';
import { normalizeCommand, withoutQuotes } from './commands/normalize.ts';
import { isOneOf, programName } from './commands/started-from.ts';
import { hasTerm, readTerm } from './commands/terms.ts';
import type { Os } from './format.ts';

/** Replaces `@group` by what is in the group. Throws for a group that does not exist. */
function inGroups(written: string[], groups: Record<string, string[]>): string[] {
  return written.flatMap((name) => {
    if (!/^@[a-z-]+$/.test(name)) return [name];
    if (!Object.hasOwn(groups, name.slice(1))) throw new Error(`there is no group ${name}`);
    return groups[name.slice(1)] ?? [];
  });
}

const programsOf = ({ programs }: CommandPattern, { program_groups }: CommandPatterns) => inGroups(programs, program_groups);

const termsOf = ({ must }: CommandPattern, { words }: CommandPatterns, system: Os) =>
  must.map((list) => inGroups(list, words).map((term) => readTerm(term, (text) => normalizeCommand(text, system))));

const hasAddress = ({ address }: CommandPattern, { web, network }: FoundAddresses) =>
  ({ none: true, web: web.length > 0, network: network.length > 0, any: web.length + network.length > 0 })[address];

/** What is wrong with the patterns beyond their shape, one sentence for each problem. */
export function commandProblems(commands: CommandPatterns): string[] {
  const identifiers = Map.groupBy(commands.patterns, ({ identifier }) => identifier);
  const twice = [...identifiers].filter(([, { length }]) => length > 1);
  return [
    ...twice.map(([identifier, { length }]) => `The pattern ${identifier} is there ${length} times: one identifier, one pattern.`),
    ...commands.patterns.flatMap((pattern) => {
      try {
        programsOf(pattern, commands);
        for (const system of pattern.os) termsOf(pattern, commands, system);
        return [];
      } catch (reason) {
        return [`The pattern ${pattern.identifier} cannot be read: ${(reason as Error).message}.`];
      }
    }),
  ];
}

/**
 * The first harmless command that a pattern would find, as a sentence, wherever it was started from. Throws where `commandProblems` has an
 * answer.
 */
export function harmlessCommandIn(commands: CommandPatterns): string | null {
  const layered = benignCommands.map((command) => {
    const layers = layersOf(command.command_line, command.os);
    return {
      ...command,
      program: programName(command.name),
      text: layers.map((layer) => normalizeCommand(layer, command.os)).join(' \n '),
      addresses: findAddresses(layers.map((layer) => withoutQuotes(layer, command.os)).join(' \n ')),
    };
  });
  for (const pattern of commands.patterns) {
    const programs = programsOf(pattern, commands);
    for (const system of pattern.os) {
      const candidates = layered.filter(
        ({ os, program, addresses }) => os === system && isOneOf(program, programs) && hasAddress(pattern, addresses),
      );
      if (candidates.length === 0) continue;
      const must = termsOf(pattern, commands, system);
      const found = candidates.find(({ text }) => must.every((terms) => terms.some((term) => hasTerm(text, term))));
      if (found) return `The pattern ${pattern.identifier} would stop an ordinary command: ${found.command_line}`;
    }
  }
  return null;
}
