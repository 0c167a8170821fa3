import type { ParseArgsOptionsConfig } from 'node:util';
import { readCommandLine } from '@porchlight/definitions/cli/command-line.ts';

export const seeHelp = 'npm run porchlight -- help shows every word';

/** Reads `--name value` and `--flag` after the words of a command. Throws `Usage` for everything else. */
export const readOptions = <const T extends ParseArgsOptionsConfig>(words: string, args: string[], options: T) =>
  readCommandLine(args, options, { command: words, hint: `; ${seeHelp}` }).values;
