import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node';

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
    /** The kernel ends every process of the namespace together with its first one. */
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
