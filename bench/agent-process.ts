import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChildren } from '@porchlight/agent/os/linux/proc.ts';
import { type TestServer, testServer } from '@porchlight/agent/testing/server.ts';
import { noUnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { until } from '@porchlight/dev/until.ts';
import { unit } from '@porchlight/packaging/linux/unit.ts';
import type { Shipped } from './shipped.ts';

export interface AgentProcess {
  server: TestServer;
  pid: number;
  /** Process id of the DNS filter. */
  filter: number;
  output(): string;
  close(): Promise<void>;
}

const money = { unanswered: false, sites: [], open: [] };
const serviceNice = Number(/^Nice=(-?\d+)$/m.exec(unit)?.[1]);

/**
 * Links the shipped program to a server with the whole catalogue and `sites`. Each name in the catalogue gets the prefix `mark`, so that
 * the agent ends only the benchmark's own programs.
 */
export async function startAgentProcess(
  { program, installFor }: Shipped,
  { env, sites, mark }: { env: NodeJS.ProcessEnv; sites: Uint8Array | null; mark: string },
): Promise<AgentProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const asService = process.getuid?.() === 0 ? serviceNice : 0;
  const server = await testServer();
  // All that an account has without a choice of its own (P12.3 to P12.6).
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, pasted_commands: 'block', new_programs: 'incident', doors: 'block', money } });
  const definitions = server.definitions.definitions.map((family) => prefixNames(family, mark));
  server.offer(server.feed.publish({ version: 2, definitions }, server.feed.signing(), { sites }));
  await installFor(server);
  const args = ['--code', 'ABCD-EFGH', '--names', `127.0.0.1:${await freePort()}`, '--upstream', '127.0.0.1:9'];
  const child = spawn('nice', ['-n', String(asService - getPriority()), program, ...args], {
    env: { PATH: process.env.PATH, AGENT_LOOPBACK_PORT: '0', ...env, AGENT_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const pid = child.pid ?? 0;
  try {
    await until(
      `the agent to protect; it says: ${output}`,
      () => output.includes('Porchlight protects this computer as Laptop.') && readChildren(pid)?.[0],
      30_000,
    );
  } catch (err) {
    child.kill('SIGKILL');
    throw new Error(`${String(err)} ${output}`);
  }
  return {
    server,
    pid,
    filter: readChildren(pid)?.[0] ?? 0,
    output: () => output,
    async close() {
      await hasEnded(child);
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function prefixNames({ programs, ...family }: Definition, mark: string): Definition {
  const prefixed = (names: Definition['programs']['names']) => names.map(({ os, name }) => ({ os, name: `${mark}${name}` }));
  return { ...family, programs: { ...programs, names: prefixed(programs.names), generic_names: prefixed(programs.generic_names) } };
}

function hasEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

export async function startsSoFar(): Promise<number> {
  return Number(/^processes (\d+)$/m.exec(await readFile('/proc/stat', 'utf8'))?.[1]);
}

export interface Resources {
  /** CPU seconds, with those of ended children. */
  seconds: number;
  /** Megabytes in memory; `files`: those of mapped files; `share`: pages of several processes count in parts. */
  megabytes: number;
  files: number;
  share: number;
}

export async function resourcesOf(pid: number): Promise<Resources> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const ticksASecond = 100;
  const seconds = stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksASecond;
  const megabytesIn = async (file: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(await readFile(`/proc/${pid}/${file}`, 'utf8'))?.[1]) / 1024;
  const [megabytes, files] = [await megabytesIn('status', 'VmRSS'), await megabytesIn('status', 'RssFile')];
  return { seconds, megabytes, files, share: await megabytesIn('smaps_rollup', 'Pss') };
}
