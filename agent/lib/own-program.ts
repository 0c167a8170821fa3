import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';

export type StartedAs = Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>;

/** The suffix of a downloaded program until it replaces the former program. */
const staged = /\.new$/;

export const finalPath = (execPath: string): string => execPath.replace(staged, '');

/** The current path of this program: an update renames it while it runs, and a later update may then use its former name. */
export function ownProgram(execPath: string): () => string {
  if (!staged.test(execPath)) return () => execPath;
  const fileIdentity = () => {
    const stat = statSync(execPath, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.dev} ${stat.ino}` : null;
  };
  const ownIdentity = fileIdentity();
  return () => (ownIdentity !== null && fileIdentity() === ownIdentity ? execPath : finalPath(execPath));
}

/**
 * The helper processes, by the argument that starts each. The arguments must not change, because an installed version starts a newer version
 * with them.
 */
const scripts = { 'site-filter': 'dns-filter.ts', 'as-owner': 'lib/files/as-owner-process.ts' };

export function ownCommand({ execPath, execArgv, argv }: StartedAs, argument: keyof typeof scripts): () => string[] {
  const program = ownProgram(execPath);
  const args = isSea() ? [argument] : [...execArgv, join(dirname(argv[1] ?? ''), scripts[argument])];
  return () => [program(), ...args];
}
