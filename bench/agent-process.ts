import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '@porchlight/agent/os/linux/proc.ts';
import { type TestServer, testServer } from '@porchlight/agent/testing/server.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { until } from '@porchlight/dev/until.ts';
import { unit } from '@porchlight/packaging/linux/unit.ts';
import type { Shipped } from './shipped.ts';

export interface AgentProcess {
  server: TestServer;
  pid: number;
  /** The process that answers names for it. */
  filter: number;
  said(): string;
  close(): Promise<void>;
}

/** As the unit of the service says; for that it takes root. */
const serviceNice = Number(/^Nice=(-?\d+)$/m.exec(unit)?.[1]);

/**
 * The program that is shipped, as a process of its own, linked to a server with the whole catalogue and `sites`, if there are any. It sees all that
 * runs on this computer: every name of the catalogue has `mark` before it, so that it ends nothing but what is meant for it.
 */
export async function startAgentProcess(
  { program, installFor }: Shipped,
  { env, sites, mark }: { env: NodeJS.ProcessEnv; sites: Uint8Array | null; mark: string },
): Promise<AgentProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const asService = process.getuid?.() === 0 ? serviceNice : 0;
  const server = await testServer();
  const definitions = server.definitions.definitions.map((family) => marked(family, mark));
  server.offer(server.feed.publish({ version: 2, definitions }, server.feed.signing(), { sites }));
  await installFor(server);
  const args = ['--code', 'ABCD-EFGH', '--names', `127.0.0.1:${await freePort()}`, '--upstream', '127.0.0.1:9'];
  const child = spawn('nice', ['-n', String(asService - getPriority()), program, ...args], {
    env: { PATH: process.env.PATH, AGENT_LOOPBACK_PORT: '0', ...env, AGENT_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const pid = child.pid ?? 0;
  try {
    await until(
      `the agent to protect; it says: ${said}`,
      () => said.includes('Porchlight protects this computer as Laptop.') && childrenOf(pid)?.[0],
      30_000,
    );
  } catch (err) {
    child.kill('SIGKILL');
    throw new Error(`${String(err)} ${said}`);
  }
  return {
    server,
    pid,
    filter: childrenOf(pid)?.[0] ?? 0,
    said: () => said,
    async close() {
      await ended(child);
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function marked({ programs, ...family }: Definition, mark: string): Definition {
  const under = (names: Definition['programs']['names']) => names.map(({ os, name }) => ({ os, name: `${mark}${name}` }));
  return { ...family, programs: { ...programs, names: under(programs.names), generic_names: under(programs.generic_names) } };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Processes and threads that were started on this computer since it was. */
export async function startsSoFar(): Promise<number> {
  return Number(/^processes (\d+)$/m.exec(await readFile('/proc/stat', 'utf8'))?.[1]);
}

/** Seconds of processor time that a process has used so far, and megabytes that it has in memory; `files`: so many of them are pages of files. */
export async function usedBy(pid: number): Promise<{ seconds: number; megabytes: number; files: number }> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const ticksASecond = 100;
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { seconds: (Number(stat[11]) + Number(stat[12])) / ticksASecond, megabytes: megabytes('VmRSS'), files: megabytes('RssFile') };
}
