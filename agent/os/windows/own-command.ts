import { argv, execPath } from 'node:process';
import { isSea } from 'node:sea';

/** How Windows starts this very program with an argument: one executable, or Node with a script. */
export function ownCommand(argument: string): string {
  const script = isSea() ? '' : ` "${argv[1] ?? ''}"`;
  return `"${execPath}"${script} ${argument}`;
}
