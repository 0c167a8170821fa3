import { spawn } from 'node:child_process';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Identity } from './identity.ts';
import { shortenLog } from './log-size.ts';
import { readProcess } from './processes.ts';

export interface Postmaster {
  pid: number;
  socketFolder: string;
}

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  shared_buffers: '32MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements, DETAIL lines and the messages of errors contain what users typed, which must not be logged; the server's own log has the
  // codes of these errors. `log` leaves out warnings and errors of statements, and no end or failure of PostgreSQL itself.
  log_min_messages: 'log',
  log_parameter_max_length_on_error: '0',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Removes a stale postmaster.pid whose process id now belongs to another program. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = join(cluster, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const processInfo = await readProcess(pid);
  if (!processInfo || processInfo.zombie) return null;
  if (/postgres/.test(processInfo.command)) return { pid, socketFolder: lines[4] ?? '' };
  // PostgreSQL would refuse to start while that program lives. Its own child processes end within a second.
  await sleep(1_000);
  await rm(file, { force: true });
  return null;
}

export interface Launched {
  pid: number;
  output(): Promise<string>;
  ended: Promise<void>;
}

/** A session of its own keeps Ctrl-C away from PostgreSQL. `max_connections`: more are refused. */
export async function launch(
  binaries: Binaries,
  identity: Identity,
  cluster: string,
  socketFolder: string,
  logFile: string,
  max_connections: number,
): Promise<Launched> {
  await shortenLog(logFile);
  const logStart = (await stat(logFile).catch(() => null))?.size ?? 0;
  const log = await open(logFile, 'a');
  const options = Object.entries({ ...settings, max_connections, unix_socket_directories: socketFolder }).flatMap(([k, v]) => [
    '-c',
    `${k}=${v}`,
  ]);
  const [command, args] = identity.command(binaries.postgres, ['-D', cluster, ...options]);
  const child = spawn(command, args, {
    detached: true,
    env: binaries.environment,
    stdio: ['ignore', log.fd, log.fd],
    ...(identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid }),
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.unref();
  await log.close();
  return { pid: child.pid ?? 0, ended, output: async () => (await readFile(logFile, 'utf8')).slice(logStart) };
}

/** Drops open connections; acknowledged data is on disk. Waits for the end of the process, which removes its postmaster.pid a moment before. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  const started = (await readProcess(pid))?.startTime;
  const hasEnded = async () => {
    const processInfo = await readProcess(pid);
    return !processInfo || processInfo.zombie || processInfo.startTime !== started;
  };
  for (const [signal, timeoutMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    const isOurs = (await findPostmaster(cluster))?.pid === pid;
    // The process id may belong to another program by now.
    if (!isOurs && signal === 'SIGINT') return;
    if (isOurs) process.kill(pid, signal);
    for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20)) {
      if (await hasEnded()) return;
    }
  }
}
