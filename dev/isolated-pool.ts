import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node';
import { descendantsOf, signal } from './process-tree.ts';

/** Runs each test file in a process as Vitest's pool `forks` does, behind the command `prefix` (`inOwnNamespaces`). */
export function isolatedPool(prefix: string[]): PoolRunnerInitializer {
  return { name: 'isolated', createPoolWorker: (options) => isolatedWorker(prefix, options) };
}

function isolatedWorker([command = '', ...prefixArgs]: string[], { distPath, execArgv, env }: PoolOptions): PoolWorker {
  const startFailures = new EventEmitter();
  let child: ChildProcess | null = null;
  const emitterOf = (event: string) => (event === 'error' || !child ? startFailures : child);
  return {
    name: 'isolated',
    cacheFs: true,
    on: (event, callback) => void emitterOf(event).on(event, callback),
    off: (event, callback) => void emitterOf(event).off(event, callback),
    send: (request: WorkerRequest) => void child?.send(request),
    deserialize: (data) => data,
    async start() {
      // `fork` puts `execArgv` between the command and the script, and passes on the channel to Vitest.
      child = fork(join(distPath, 'workers', 'forks.js'), [], {
        execPath: command,
        execArgv: [...prefixArgs, process.execPath, ...execArgv],
        env,
        stdio: 'inherit',
        serialization: 'advanced',
      });
      child.on('error', (reason) => startFailures.emit('error', reason));
    },
    /**
     * Ends the worker, and with it the first process of the namespace, which waits for it; then the kernel ends all others. Ending the command would lose
     * the worker's processor time, since nobody collects that of processes that the kernel ends (`processorMinutes`).
     */
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const worker = workerBelow(child.pid ?? 0);
      if (worker) signal(worker, 'SIGKILL');
      else child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Of the children of the namespace's first process, which gets those that lost their parent, the worker was there first. */
function workerBelow(command: number): number | undefined {
  const processes = descendantsOf(command);
  const first = processes.find(({ parent }) => parent === command);
  const children = processes.filter(({ parent }) => parent === first?.pid);
  return children.toSorted((one, other) => Number(one.started) - Number(other.started))[0]?.pid;
}
