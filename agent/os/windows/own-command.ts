import { argv, execPath } from 'node:process';
import { isSea } from 'node:sea';
import { knownAs } from '../../lib/own-program.ts';

/** How Windows starts this very program with an argument: one executable, or Node with a script. Of a new one that is to take over: under the name that it gets then. */
export function ownCommand(argument: string): string {
  const script = isSea() ? '' : ` "${argv[1] ?? ''}"`;
  return `"${knownAs(execPath)}"${script} ${argument}`;
}
