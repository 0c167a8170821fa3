import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './world.ts';

/** Where `npm test` unpacks nats-server. */
export const fetchedNatsServer = fileURLToPath(new URL('../../.cache/nats-server/nats-server', import.meta.url));

/** The server of NATS, or null. */
export function findNatsServer(): string | null {
  // Debian's package has it in a folder that is in root's PATH only.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return [...folders.map((folder) => join(folder, 'nats-server')), fetchedNatsServer].find((path) => existsSync(path)) ?? null;
}

/** For `describe.skipIf`; logs why `tests` are left out. */
export function natsServerIsMissing(tests: string): boolean {
  const missing = findNatsServer() === null;
  if (missing) console.log(`Left out: ${tests}, because there is no nats-server. \`npm test\` unpacks it where there is apt-get.`);
  return missing;
}

export interface NatsServer {
  /** `nats://host:port`. */
  url: string;
  /** Ends it at once, as if the computer had failed. */
  kill(): Promise<void>;
  /** Again on the same port. */
  start(): Promise<void>;
  /** Stops it without an end of its connections, until it is continued. */
  freeze(): void;
  continue(): void;
  close(): Promise<void>;
}

/** Starts a real nats-server on the loopback. `args`: such as `['--user', 'porchlight', '--pass', 'secret']`. */
export async function startNatsServer(args: string[] = []): Promise<NatsServer> {
  const program = findNatsServer();
  if (!program) throw new Error('There is no nats-server.');
  const host = loopbackAddress();
  const port = await freePort(host);
  let child: ChildProcess | null = null;
  const start = async () => {
    const started = spawn(program, ['--addr', host, '--port', String(port), ...args], { stdio: 'ignore' });
    child = started;
    await until('nats-server to answer', async () => {
      if (started.exitCode !== null) throw new Error(`nats-server has ended with ${started.exitCode}.`);
      return answers(host, port);
    });
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `nats://${host}:${port}`,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    continue: () => void child?.kill('SIGCONT'),
    close: kill,
  };
}

/** Linux has a whole network on the loopback. Nobody else uses the port there between `kill` and `start`. */
const loopbackAddress = () =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Whether a server of NATS greets a new connection. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, host);
    socket.on('error', () => resolve(false));
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('INFO '));
      socket.destroy();
    });
  });
}
