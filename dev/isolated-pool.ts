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
     * Ends the first process of the namespace, a child of the command, and with it the kernel ends all others. Ending the command would lose their
     * processor time, which it collects (`processorMinutes`).
     */
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const { pid: command } = child;
      const first = command === undefined ? undefined : descendantsOf(command).find(({ parent }) => parent === command);
      if (first) signal(first.pid, 'SIGKILL');
      else child.kill('SIGKILL');
      await ended;
    },
  };
}
