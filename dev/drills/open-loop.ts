import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answered {
  status: number;
  /** From the moment at which it was meant to be sent, in milliseconds. */
  took: number;
  retry_after: number | null;
}

export interface Load {
  /** Sends one call; resolves with what came of it. Status 0: no answer. */
  send(call: { path: string; method?: string; token?: string; body?: unknown; meant?: number }): Promise<Answered>;
  close(): void;
}

/** Calls on loopback, over at most so many connections. */
export function loadOn(url: string, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  return {
    send: ({ path, method = 'GET', token, body, meant = performance.now() }) =>
      new Promise((resolve) => {
        const done = (status: number, retry?: string) =>
          resolve({ status, took: performance.now() - meant, retry_after: retry === undefined ? null : Number(retry) });
        const headers = {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        };
        const call = request(`${url}/api${path}`, { agent, method, headers, timeout: 60_000 }, (answer) => {
          answer.resume();
          answer.once('end', () => done(answer.statusCode ?? 0, answer.headers['retry-after']));
          answer.once('error', () => done(0));
        });
        call.once('error', () => done(0));
        call.once('timeout', () => call.destroy());
        call.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

/** Calls so many times a second for so long, whether answers come or not. */
export async function openLoop(rate: number, seconds: number, call: (meant: number) => Promise<Answered>): Promise<Answered[]> {
  const began = performance.now();
  const all: Promise<Answered>[] = [];
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - began) {
    for (const due = (elapsed / 1000) * rate; all.length < due; ) all.push(call(began + (all.length / rate) * 1000));
    await sleep(5);
  }
  return Promise.all(all);
}

/** The value below which so large a part of these lies; NaN of none. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}

export const accepted = (all: Answered[]) => all.filter(({ status }) => status === 200).map(({ took }) => took);
