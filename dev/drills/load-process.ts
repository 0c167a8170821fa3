import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answered, OneCall } from './open-loop.ts';

/**
 * `closed`: so many calls at a time, for some milliseconds. `open`: so many calls a second, whatever the answers. `return`: agents that come
 * back within two seconds.
 */
export type LoadOrder =
  | { kind: 'closed'; call: OneCall; at_once: number; ms: number }
  | { kind: 'open'; call: OneCall; rate: number; seconds: number }
  | { kind: 'return'; token: string; agents: number };

export interface LoadResult {
  answers: Answered[];
  /** Returned agents that have their policy. */
  served: number;
  /** In milliseconds: how late the process itself was at most. */
  late: number;
}

export interface LoadProcess {
  run(order: LoadOrder): Promise<LoadResult>;
  close(): Promise<void>;
}

/** A client of the server in a process of its own; one order at a time. */
export function startLoadProcess(url: string, connections: number): LoadProcess {
  const child = fork(fileURLToPath(new URL('./load-client.ts', import.meta.url)), [url, String(connections)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  return {
    async run(order) {
      child.send(order);
      const [result] = (await Promise.race([
        once(child, 'message'),
        ended.then(([code]) => Promise.reject(new Error(`The client of the drill ended with ${code}.`))),
      ])) as [LoadResult];
      return result;
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
