import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.ts';

/** The sources of the dashboard: a change in any of these is a reason to build it again. */
const sources = ['dashboard', 'contract', 'package-lock.json'];

/**
 * Builds `dashboard/dist` when its sources have changed since the last time. `say` hears one sentence when there is work to do.
 * Throws with the output of the builder when it fails.
 */
export async function buildDashboard(say: (sentence: string) => void): Promise<'built' | 'fresh' | 'none'> {
  if (!existsSync(join(root, 'dashboard', 'vite.config.ts'))) return 'none';
  const hash = await hashOf(sources);
  const stamp = join(root, '.cache', 'dashboard.stamp');
  const last = await readFile(stamp, 'utf8').catch(() => '');
  if (last === hash && existsSync(join(root, 'dashboard', 'dist', 'index.html'))) return 'fresh';
  say('Building the dashboard; this happens only when it has changed.');
  const vite = spawn(process.execPath, [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    cwd: join(root, 'dashboard'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [vite.stdout, vite.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const [code] = (await once(vite, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The dashboard could not be built:\n${said.join('').trim()}`);
  await mkdir(join(root, '.cache'), { recursive: true });
  await writeFile(stamp, hash);
  return 'built';
}

async function hashOf(paths: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) for (const file of await filesBelow(path)) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => null);
  if (!entries) return [path];
  const wanted = entries.filter(({ name }) => name !== 'node_modules' && name !== 'dist').sort((a, b) => a.name.localeCompare(b.name));
  const found: string[] = [];
  for (const entry of wanted) {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(below)));
    else if (!/\.test\.tsx?$/.test(entry.name)) found.push(below);
  }
  return found;
}
