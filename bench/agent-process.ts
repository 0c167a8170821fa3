import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestServer, testServer } from '@porchlight/agent/testing/server.ts';
import { root } from '@porchlight/dev/root.ts';
import { until } from '@porchlight/dev/until.ts';
import { build } from 'esbuild';

export interface AgentProcess {
  server: TestServer;
  pid: number;
  said(): string;
  close(): Promise<void>;
}

/** The agent as it is shipped, in one file, as a process of its own, linked to a server with the whole catalogue and `sites`, if there are any. */
export async function startAgentProcess(env: NodeJS.ProcessEnv, sites: Uint8Array | null): Promise<AgentProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const server = await testServer();
  if (sites) server.offer(server.feed.publish({ ...server.definitions, version: 2 }, server.feed.signing(), { sites }));
  const child = spawn(process.execPath, [await bundled(folder), '--code', 'ABCD-EFGH'], {
    env: { PATH: process.env.PATH, AGENT_LOOPBACK_PORT: '0', ...env, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await until(
      `the agent to protect; it says: ${said}`,
      async () => said.includes('Porchlight protects this computer as Laptop.'),
      30_000,
    );
  } catch (err) {
    child.kill('SIGKILL');
    throw new Error(`${String(err)} ${said}`);
  }
  return {
    server,
    pid: child.pid ?? 0,
    said: () => said,
    async close() {
      await ended(child);
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, 'agent', 'main.mjs');
  await mkdir(join(folder, 'agent'));
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const entryPoints = [join(root, 'agent', 'main.ts')];
  await build({ entryPoints, outfile, bundle: true, minify: true, platform: 'node', format: 'esm', target: 'node22', external: ['koffi'] });
  return outfile;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Seconds of processor time that a process has used so far, and megabytes that it has in memory. */
export async function usedBy(pid: number): Promise<{ seconds: number; megabytes: number }> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const ticksASecond = 100;
  return {
    seconds: (Number(stat[11]) + Number(stat[12])) / ticksASecond,
    megabytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
  };
}
