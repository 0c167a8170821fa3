import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.ts';

const sources = ['dashboard', 'contract', 'package-lock.json'];

export async function buildDashboard(report: (sentence: string) => void): Promise<'built' | 'fresh' | 'none'> {
  if (!existsSync(join(root, 'dashboard', 'vite.config.ts'))) return 'none';
  const hash = await hashOf(sources);
  const stamp = join(root, '.cache', 'dashboard.stamp');
  const lastHash = await readFile(stamp, 'utf8').catch(() => '');
  if (lastHash === hash && existsSync(join(root, 'dashboard', 'dist', 'index.html'))) return 'fresh';
  report('Building the dashboard; this happens only when it has changed.');
  const vite = spawn(process.execPath, [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
    cwd: join(root, 'dashboard'),
    // With another one, Vite builds for development: slower pages, with the paths of this computer in them.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [vite.stdout, vite.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const [code] = (await once(vite, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The dashboard could not be built:\n${output.join('').trim()}`);
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
  const sourceEntries = entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .sort((a, b) => a.name.localeCompare(b.name));
  const foundFiles: string[] = [];
  for (const entry of sourceEntries) {
    const entryPath = `${path}/${entry.name}`;
    if (entry.isDirectory()) foundFiles.push(...(await filesBelow(entryPath)));
    else if (!/\.test\.tsx?$/.test(entry.name)) foundFiles.push(entryPath);
  }
  return foundFiles;
}
