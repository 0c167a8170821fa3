import type { Os } from '../format.ts';
import type { CommandPattern, CommandPatterns } from './format.ts';
import { normalizeCommand } from './normalize.ts';
import { readTerm, type Term } from './terms.ts';

export interface CompiledPattern extends Omit<CommandPattern, 'must'> {
  must: Term[][];
}

/** `readers`: programs that read what the others of their pipeline write. */
export interface CompiledCommands extends Pick<CommandPatterns, 'starting_points' | 'passed_through'> {
  fetched_files: NonNullable<CommandPatterns['fetched_files']>;
  patterns: Record<Os, CompiledPattern[]>;
  readers: string[];
}

/** Replaces `@group` by what is in the group. Throws for a group that does not exist. */
function expandGroups(names: string[], groups: Record<string, string[]>): string[] {
  return names.flatMap((name) => {
    if (!name.startsWith('@') || name.length === 1 || !/^@[a-z-]+$/.test(name)) return [name];
    const group = Object.hasOwn(groups, name.slice(1)) ? groups[name.slice(1)] : undefined;
    if (!group) throw new Error(`the patterns of commands have no group ${name}`);
    return group;
  });
}

/** Throws for a group that does not exist, and for a term that is in every command. */
function compilePattern(
  written: CommandPattern,
  { program_groups, words }: CommandPatterns,
  read: (term: string) => Term,
): CompiledPattern {
  return {
    ...written,
    programs: expandGroups(written.programs, program_groups),
    must: written.must.map((list) => expandGroups(list, words).map(read)),
  };
}

/**
 * Done once for each set. `unreadable`: called for a pattern that cannot be compiled, which is left out: one mistake in a set must not take
 * away all the rest.
 */
export function compileCommands(data: CommandPatterns, unreadable: (problem: unknown) => void = () => {}): CompiledCommands {
  const compile = (system: Os) => {
    // A term of several patterns is one, so that a command is searched for it once.
    const terms = new Map<string, Term>();
    const read = (text: string) => {
      const term = terms.get(text) ?? readTerm(text, (written) => normalizeCommand(written, system));
      terms.set(text, term);
      return term;
    };
    return data.patterns
      .filter(({ os }) => os.includes(system))
      .flatMap((written) => {
        try {
          return [compilePattern(written, data, read)];
        } catch (problem) {
          unreadable(problem);
          return [];
        }
      });
  };
  const { shells = [], interpreters = [] } = data.program_groups;
  return {
    starting_points: data.starting_points,
    passed_through: data.passed_through,
    patterns: { windows: compile('windows'), macos: compile('macos'), linux: compile('linux') },
    fetched_files: data.fetched_files ?? { savers: [], runners: [], shells: [] },
    readers: [...shells, ...interpreters],
  };
}
