import type { Os } from '../format.ts';
import type { StartingPoint } from './format.ts';
import type { CompiledCommands } from './patterns.ts';

/** How many ancestors are read. */
const maxAncestors = 16;
/** Linux cuts names of processes. */
const linuxNameLength = 15;

/** The file name in lower case, without folder, `.exe` and the dash of login shells. */
export function programName(name: string): string {
  const file = name
    .slice(-300)
    .replace(/^.*[\\/]/, '')
    .toLowerCase()
    .trim();
  return file.replace(/^-/, '').replace(/\.exe$/, '');
}

export function isOneOf(program: string, names: readonly string[]): boolean {
  return names.some((name) =>
    name.endsWith('*')
      ? program.startsWith(name.slice(0, -1))
      : program === name || (program.length === linuxNameLength && name.startsWith(program)),
  );
}

/**
 * From where a user started the program, or null if other software did. Shells between are passed through. `parents`: file names, nearest
 * first.
 */
export function startedFrom(
  parents: readonly string[],
  os: Os,
  { starting_points, passed_through }: Pick<CompiledCommands, 'starting_points' | 'passed_through'>,
): StartingPoint | null {
  let throughShell = false;
  for (const parent of parents.slice(0, maxAncestors)) {
    const name = programName(parent);
    const { desktop, terminal, browser } = starting_points;
    if (isOneOf(name, terminal[os])) return 'terminal';
    if (isOneOf(name, desktop[os])) return throughShell ? 'terminal' : 'desktop';
    if (isOneOf(name, browser[os])) return 'browser';
    if (!isOneOf(name, passed_through) && !(os === 'macos' && name === 'login')) return null;
    throughShell = true;
  }
  return null;
}
