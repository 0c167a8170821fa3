import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chooseIdentity } from '@porchlight/server/db/embedded/identity.ts';
import { freePort } from './ports.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export interface TestPostgres {
  url: string;
  /** Ends all connections and the server, then starts it again on the same port after `downMs` milliseconds. Null: it is not ours. */
  restart: ((downMs: number) => Promise<void>) | null;
  stop(): Promise<void>;
}

/** Opens the PostgreSQL of `TEST_DATABASE_URL`, or Debian's, over TCP with a password. A sentence when there is none. */
export async function openTestPostgres(): Promise<TestPostgres | string> {
  const configuredUrl = process.env.TEST_DATABASE_URL;
  if (configuredUrl) return { url: configuredUrl, restart: null, stop: async () => {} };
  const bin = postgresBinaries();
  if (!bin) return 'there is no PostgreSQL server on this computer (Debian: apt-get install postgresql), and TEST_DATABASE_URL names none';
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-pg-'));
  try {
    return await start(bin, folder);
  } catch (reason) {
    await rm(folder, { recursive: true, force: true });
    return `Debian's PostgreSQL did not start: ${reason instanceof Error ? reason.message : String(reason)}`;
  }
}

async function start(bin: string, folder: string): Promise<TestPostgres> {
  const identity = await chooseIdentity(join(bin, 'postgres'));
  const as = identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid };
  const password = randomBytes(12).toString('hex');
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await writeFile(join(folder, 'password'), password);
  await identity.chown(folder);
  const setUp = identity.command(join(bin, 'initdb'), [
    ...['-D', data, '-U', 'porchlight', '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`],
    ...['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
  ]);
  await run(setUp[0], setUp[1], as);
  const port = await freePort();
  const options = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', fsync: 'off', max_connections: '200' };
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, commandArgs] = identity.command(join(bin, 'postgres'), ['-D', data, ...args]);
  let child: ChildProcess;
  const startServer = async () => {
    child = spawn(command, commandArgs, { ...as, stdio: 'ignore' });
    await until('it to listen', () => isListening(child, port), 20_000);
  };
  const stopServer = async () => {
    // A fast shutdown: PostgreSQL ends all connections.
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  };
  await startServer();
  return {
    url: `postgres://porchlight:${password}@127.0.0.1:${port}/postgres`,
    async restart(downMs) {
      await stopServer();
      await sleep(downMs);
      await startServer();
    },
    async stop() {
      await stopServer();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isListening(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
