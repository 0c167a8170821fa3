import type { ParseArgsOptionsConfig } from 'node:util';
import { helpHint, readCommandLine } from '@porchlight/definitions/cli/command-line.ts';

export const program = 'npm run porchlight --';

/** Reads `--name value` and `--flag` after the name of a command. Throws `Usage` for everything else. */
export const readOptions = <const T extends ParseArgsOptionsConfig>(command: string, args: string[], options: T) =>
  readCommandLine(args, options, { command, hint: `; ${helpHint(program)}` }).values;
