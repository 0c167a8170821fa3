import { argv, execPath } from 'node:process';
import { isSea } from 'node:sea';
import { finalPath } from '../../lib/own-program.ts';

/** The command line that starts this program; during an update, with its path after the installation. */
export function ownCommand(argument: string): string {
  const script = isSea() ? '' : ` "${argv[1] ?? ''}"`;
  return `"${finalPath(execPath)}"${script} ${argument}`;
}
