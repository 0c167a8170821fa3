import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';

/** How this program was started. */
export type StartedAs = Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>;

/** The name that a new program has until it is put in the place of the one before. */
const staged = /\.new$/;

/** Under which name this program is known once it is in its place: one that was started to take over has another until then. */
export const knownAs = (execPath: string): string => execPath.replace(staged, '');

/**
 * Under which name this very program can be started, at the moment of each call: a successor is put in its place while it runs, and a later update may by then
 * lie under the name that it had.
 */
export function ownProgram(execPath: string): () => string {
  if (!staged.test(execPath)) return () => execPath;
  const at = () => {
    const stat = statSync(execPath, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.dev} ${stat.ino}` : null;
  };
  const mine = at();
  return () => (mine !== null && at() === mine ? execPath : knownAs(execPath));
}

/** The other processes of this program, by the word that the executable takes: it never changes, because an older version starts a newer one by it. */
const scripts = { 'site-filter': 'dns-filter.ts', 'as-owner': 'lib/files/as-owner-process.ts' };

/** Program and arguments that start this program as another of its processes: the one executable with that word, or Node with the script. */
export function ownCommand({ execPath, execArgv, argv }: StartedAs, word: keyof typeof scripts): () => string[] {
  const program = ownProgram(execPath);
  const more = isSea() ? [word] : [...execArgv, join(dirname(argv[1] ?? ''), scripts[word])];
  return () => [program(), ...more];
}
