import type { Os } from '../format.ts';
import { type CommandPattern, commandPatterns } from './format.ts';
import { normalizeCommand } from './normalize.ts';
import data from './patterns.json' with { type: 'json' };
import { readTerm, type Term } from './terms.ts';

export interface CompiledPattern extends Omit<CommandPattern, 'must'> {
  must: Term[][];
}

/** Replaces `@group` by what is in the group. Throws for a group that does not exist. */
function expandGroups(names: string[], groups: Record<string, string[]>): string[] {
  return names.flatMap((name) => {
    if (!name.startsWith('@') || name.length === 1 || !/^@[a-z-]+$/.test(name)) return [name];
    const group = groups[name.slice(1)];
    if (!group) throw new Error(`patterns.json has no group ${name}`);
    return group;
  });
}

export const commandData = commandPatterns.parse(data);

function compile(system: Os): CompiledPattern[] {
  const normalize = (text: string) => normalizeCommand(text, system);
  return commandData.patterns
    .filter((written) => written.os.includes(system))
    .map((written) => ({
      ...written,
      programs: expandGroups(written.programs, commandData.program_groups),
      must: written.must.map((list) => expandGroups(list, commandData.words).map((term) => readTerm(term, normalize))),
    }));
}

export const compiledPatterns: Record<Os, CompiledPattern[]> = {
  windows: compile('windows'),
  macos: compile('macos'),
  linux: compile('linux'),
};
