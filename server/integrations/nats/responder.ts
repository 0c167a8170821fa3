import { headers, type Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';

export type RequestHandler = (text: string) => Promise<string>;

/** In an answer: why there is none. */
export const errorHeader = 'Porchlight-Error';
/** In a request: how long its sender waits, in milliseconds. */
export const timeoutHeader = 'Porchlight-Timeout-Ms';

const maxRunning = 32;
const maxWaiting = 256;
/** For requests that do not contain their timeout. */
const defaultTimeout_ms = 10_000;

interface Waiting {
  request: Msg;
  /** By `performance.now()`. */
  expires: number;
}

export interface Responder {
  receive(request: Msg): void;
  /** Resolves once every received request is answered. */
  finished(): Promise<void>;
}

/**
 * Answers requests: 32 run at a time, and 256 wait. At a thousand times the load the same 32 run, so that the database has the same to do. Each
 * request beyond is answered as busy at once, which takes no memory, and its sender knows within a round trip that it should try again later.
 * A request whose sender no longer waits is dropped, so that the answers that are sent are of use. The messages that wait need 256 times the
 * largest message of NATS (1 MB by default) at most. A handler must end: each that does not occupies a seat for ever.
 */
export function responder(subject: string, handler: RequestHandler, log: Pick<Logger, 'warn' | 'error'>): Responder {
  const waiting: Waiting[] = [];
  const finishing: (() => void)[] = [];
  let running = 0;
  let isBusy = false;

  const run = async (request: Msg) => {
    running++;
    try {
      request.respond(await handler(request.string()));
    } catch (err) {
      log.error({ err }, 'A request by NATS failed.');
      respondError(request, 'failed');
    }
    running--;
    runNext();
  };

  const runNext = () => {
    while (running < maxRunning && waiting.length) {
      const next = waiting.shift();
      if (next && next.expires > performance.now()) void run(next.request);
    }
    if (!waiting.length) isBusy = false;
    if (!running) for (const finish of finishing.splice(0)) finish();
  };

  return {
    receive(request) {
      if (waiting.length >= maxWaiting) {
        if (!isBusy) log.warn(`More requests for ${subject} arrive by NATS than are answered: some are refused.`);
        isBusy = true;
        return respondError(request, 'busy');
      }
      const timeout_ms = Number(request.headers?.get(timeoutHeader)) || defaultTimeout_ms;
      waiting.push({ request, expires: performance.now() + timeout_ms });
      runNext();
    },
    finished: () => (running ? new Promise((resolve) => void finishing.push(resolve)) : Promise.resolve()),
  };
}

function respondError(request: Msg, reason: 'busy' | 'failed'): void {
  const answer = headers();
  answer.set(errorHeader, reason);
  try {
    request.respond('', { headers: answer });
  } catch {
    // The connection was closed meanwhile, so the sender's request ends by its timeout.
  }
}
