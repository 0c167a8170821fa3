import { spawn } from 'node:child_process';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { environment } from './cluster.ts';
import type { Identity } from './identity.ts';
import { seeProcess } from './processes.ts';

/** The main process of a PostgreSQL, as it describes itself in postmaster.pid. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
}

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  max_connections: '100',
  shared_buffers: '32MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What people typed stands in statements and in DETAIL lines, and belongs in no log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** The postmaster that holds the cluster, or null. Clears the note of a dead one whose number another program has got since. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = join(cluster, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const seen = await seeProcess(pid);
  if (!seen || seen.zombie) return null;
  if (/postgres/.test(seen.command)) return { pid, socketFolder: lines[4] ?? '' };
  // PostgreSQL would refuse for as long as that other program lives. Its own children, if any are left, end within this second.
  await sleep(1_000);
  await rm(file, { force: true });
  return null;
}

export interface Launched {
  pid: number;
  /** What PostgreSQL wrote since this launch. */
  said(): Promise<string>;
  ended: Promise<void>;
}

/** Starts a postmaster in a session of its own, so that Ctrl-C reaches us and not it: it is stopped when we are done with it. */
export async function launch(
  binaries: Binaries,
  identity: Identity,
  cluster: string,
  socketFolder: string,
  logFile: string,
): Promise<Launched> {
  const before = (await stat(logFile).catch(() => null))?.size ?? 0;
  if (before > 4_000_000) await rename(logFile, `${logFile}.old`);
  const from = before > 4_000_000 ? 0 : before;
  const log = await open(logFile, 'a');
  const options = Object.entries({ ...settings, unix_socket_directories: socketFolder }).flatMap(([k, v]) => ['-c', `${k}=${v}`]);
  const [command, args] = identity.command(binaries.postgres, ['-D', cluster, ...options]);
  const child = spawn(command, args, {
    detached: true,
    env: environment,
    stdio: ['ignore', log.fd, log.fd],
    ...(identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid }),
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.unref();
  await log.close();
  return { pid: child.pid ?? 0, ended, said: async () => (await readFile(logFile, 'utf8')).slice(from) };
}

/** Ends a postmaster: open connections are dropped, everything acknowledged is on disk. Returns when it is gone. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if ((await findPostmaster(cluster))?.pid !== pid) return;
    process.kill(pid, signal);
    for (const end = Date.now() + patience; Date.now() < end; await sleep(20)) {
      if ((await findPostmaster(cluster))?.pid !== pid) return;
    }
  }
}
