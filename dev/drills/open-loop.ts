import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answered {
  status: number;
  /** Milliseconds from the scheduled time to the answer. */
  took: number;
  retry_after: number | null;
}

/** `path`: below /api. `meant`: the scheduled time. */
export interface OneCall {
  path: string;
  method?: string;
  token?: string;
  cookie?: string;
  body?: unknown;
  meant?: number;
}

export interface Load {
  /** Sends a call; status 0 means no answer. */
  send(call: OneCall): Promise<Answered>;
  close(): void;
}

export function loadOn(url: string, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  return {
    send: ({ path, method = 'GET', token, cookie, body, meant = performance.now() }) =>
      new Promise((resolve) => {
        const finish = (status: number, retry?: string) =>
          resolve({ status, took: performance.now() - meant, retry_after: retry === undefined ? null : Number(retry) });
        const headers = {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(cookie ? { cookie } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        };
        const call = request(`${url}/api${path}`, { agent, method, headers, timeout: 60_000 }, (answer) => {
          answer.resume();
          answer.once('end', () => finish(answer.statusCode ?? 0, answer.headers['retry-after']));
          answer.once('error', () => finish(0));
        });
        call.once('error', () => finish(0));
        call.once('timeout', () => call.destroy());
        call.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

/**
 * Sends `rate` calls a second without waiting for answers. `call` gets its scheduled time, of `performance.now()`. `signal` ends it early.
 */
export async function openLoop(
  rate: number,
  seconds: number,
  call: (meant: number) => Promise<Answered>,
  signal?: AbortSignal,
): Promise<Answered[]> {
  const startedAt = performance.now();
  const answers: Promise<Answered>[] = [];
  for (let elapsed = 0; elapsed < seconds * 1000 && !signal?.aborted; elapsed = performance.now() - startedAt) {
    for (const due = (elapsed / 1000) * rate; answers.length < due; ) answers.push(call(startedAt + (answers.length / rate) * 1000));
    await sleep(5);
  }
  return Promise.all(answers);
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

export const acceptedDurations = (answers: Answered[]) => answers.filter(({ status }) => status === 200).map(({ took }) => took);
