/** It was typed right and could not be done; the message says what is in the way. */
export class Failure extends Error {}

/** What a command has, given by whoever starts it. */
export interface Outside {
  out: NodeJS.WritableStream;
  err: NodeJS.WritableStream;
  input: NodeJS.ReadableStream;
  now: () => Date;
}

export interface Command {
  /** How it is typed, without the program's name. */
  usage: string;
  help: string;
  /** The exit code: 0 done, 1 something is wrong with what it looked at. */
  run(args: string[], outside: Outside): Promise<number>;
}
