import { type DestinationStream, type Logger, pino } from 'pino';
import { loggableError } from './loggable-error.ts';
import { requestId } from './request-context.ts';
import { scrub } from './scrub.ts';

/** Ids that we make, and names of the program: all that is needed to find a line. */
const plainFields = new Set(['at', 'job', 'request', 'kind', 'lane', 'route', 'method']);
const max_depth = 3;

/**
 * The server's log: JSON lines, each with the id of its call as `request`. Nothing about a person is in it at any level (P7.3): errors have
 * only what is known to be harmless, and every other text is scrubbed.
 */
export function openLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      mixin: (_fields, _level, logger) => requestOf(logger),
      formatters: { log: (fields) => loggable(fields) as Record<string, unknown> },
      // For loggers of libraries, which would add their own.
      serializers: { err: same, req: same, res: same },
      hooks: {
        logMethod(args, method) {
          method.apply(this, withMessage(args as unknown[]) as Parameters<typeof method>);
        },
      },
    },
    destination,
  );
}

const same = (value: unknown) => value;

/** The logger of a call has its id already: the end of a call may be noticed outside of it. */
function requestOf(logger: unknown): object {
  const id = requestId();
  return id === null || 'request' in (logger as Logger).bindings() ? {} : { request: id };
}

/** Pino takes the message of an error for that of a line without one. */
function withMessage([first, ...rest]: unknown[]): unknown[] {
  if (typeof first === 'string') return [scrub(first)];
  const fields = first instanceof Error ? { err: first } : (first as Record<string, unknown> | null);
  const isForOperator = fields?.operator === true;
  const message = typeof rest[0] === 'string' ? rest[0] : 'an error';
  return [fields, isForOperator ? message : scrub(message)];
}

function loggable(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return loggableError(value);
  if (typeof value === 'string') return scrub(value);
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  if (depth >= max_depth || isOfHttp(value)) return undefined;
  if (Array.isArray(value)) return value.slice(0, 20).map((one) => loggable(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainFields.has(name) ? one : loggable(one, depth + 1)]));
}

/** Calls, answers and sockets contain headers and addresses. */
const isOfHttp = (value: object) => 'headers' in value || 'raw' in value || 'socket' in value || 'remoteAddress' in value;
