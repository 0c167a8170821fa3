import type { CommandForm, CommandHelp } from './command-line.ts';

export interface CommandStreams {
  out: NodeJS.WritableStream;
  input: NodeJS.ReadableStream;
  now: () => Date;
}

export interface Command extends CommandHelp {
  /** Resolves with the exit code: 0 done, 1 something is wrong with what the command read. Throws `Usage` and `Failure`. */
  run(args: string[], streams: CommandStreams): Promise<number>;
}

export const program = 'npm run -s definitions --';

export const usageHint = ({ name, usage }: CommandForm) => `Type: ${program} ${name} ${usage}`;
