import { scrub } from './scrub.ts';

/** What the log has of an error. */
export interface LoggableError {
  type: string;
  message?: string;
  stack?: string[];
  cause?: LoggableError;
  [fact: string]: unknown;
}

/**
 * Messages of Node.js and of drivers, whose words are known. What another message says may be a name, which no pattern recognises: then the
 * type, the code and the stack have to suffice.
 */
const knownMessages = [
  /^Cannot (read|set) properties of (undefined|null)/,
  /^[\w$.]{1,80} is not (a function|a constructor|iterable|defined)$/,
  /^Maximum call stack size exceeded$/,
  /^Invalid (time value|array length|URL)$/,
  /^[a-z]+ E[A-Z]{3,12}\b/,
  /^E[A-Z]{3,12}: [a-z ]{1,60}/,
  /^(fetch failed|socket hang up|terminated|aborted|The operation was aborted( due to timeout)?)$/,
  /^Connection (terminated unexpectedly|terminated due to connection timeout|terminated|ended)/,
  /^timeout exceeded when trying to connect$/,
  /^The server does not support SSL connections$/,
];

/** Fields with words of a program, never of a person. Others are not logged, since a library may put anything into them. */
const factNames = [
  'code',
  'status',
  'statusCode',
  'responseCode',
  'command',
  'errno',
  'syscall',
  'address',
  'port',
  'severity',
  'routine',
  'schema',
  'table',
  'constraint',
  'column',
  'dataType',
  'about',
  'why',
];
const plainWord = /^[\w.:[\] -]{1,64}$/;
const max_frames = 20;
const max_depth = 3;

/** For the log: nothing that someone entered, and nothing that another program answered. */
export function loggableError(err: unknown, depth = 0): LoggableError {
  if (!(err instanceof Error)) return { type: typeof err };
  const { cause } = err;
  const message = messageOf(err);
  return {
    type: plainWord.test(err.name) ? typeOf(err) : 'Error',
    ...(message === null ? {} : { message }),
    ...factsOf(err),
    stack: framesOf(err),
    ...(cause === undefined || depth >= max_depth ? {} : { cause: loggableError(cause, depth + 1) }),
  };
}

const typeOf = (err: Error) => (err.name === 'Error' ? err.constructor.name : err.name);

function messageOf(err: Error): string | null {
  // PostgreSQL quotes values; whole rows are in `detail` and `where`, which are not logged.
  if (isOfPostgres(err)) return scrub(err.message);
  const known = knownMessages.map((pattern) => pattern.exec(err.message)?.[0]).find((words) => words !== undefined);
  return known === undefined ? null : scrub(known);
}

/** A class of errors that a function or a trigger of ours raised (`P0…`) has a message of ours. */
const isOfPostgres = (err: Error) => 'severity' in err && 'routine' in err && 'code' in err;

export function factsOf(err: Error): Record<string, string | number> {
  const fields = err as unknown as Record<string, unknown>;
  return Object.fromEntries(
    factNames.flatMap((name) => {
      const value = fields[name];
      const isPlain = typeof value === 'number' || (typeof value === 'string' && plainWord.test(value) && scrub(value) === value);
      return isPlain ? [[name, value]] : [];
    }),
  );
}

/** A line of a stack that is nothing but a function and its place. */
const frame = /^\s+at (?:[\w$.<>[\] #]+ \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^\s()]+:\d+:\d+\)?$/;

/** Without the first lines, which repeat the message. */
export function framesOf(err: Error): string[] {
  const stack = err.stack ?? '';
  const messageEnd = err.message && stack.includes(err.message) ? stack.indexOf(err.message) + err.message.length : 0;
  return stack
    .slice(messageEnd)
    .split('\n')
    .filter((line) => frame.test(line))
    .slice(0, max_frames)
    .map((line) => line.trim().replace(/^at /, ''));
}
