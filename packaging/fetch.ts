import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NpmPackage } from './targets.ts';

const run = promisify(execFile);

/** Fetches a package file through npm, once, into `cache`. Throws for a wrong hash. */
export async function fetchPackageFile({ name, version, integrity, file }: NpmPackage, cache: string): Promise<string> {
  // The hash is part of the folder's name, so a cached file has been verified.
  const cached = join(cache, `${name.replace(/\W+/g, '-')}-${version}-${integrity.slice(7, 19).replace(/\W/g, '_')}`);
  const path = join(cached, file.split('/').at(-1) ?? '');
  if (await readable(path)) return path;
  await mkdir(cache, { recursive: true });
  const workFolder = await mkdtemp(join(cache, 'fetching-'));
  try {
    const folder = await unpackPackage({ name, version, integrity }, workFolder, file);
    await mkdir(join(workFolder, 'cached'));
    await copyFile(join(folder, file), join(workFolder, 'cached', file.split('/').at(-1) ?? ''));
    await rm(cached, { recursive: true, force: true });
    await rename(join(workFolder, 'cached'), cached);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
  return path;
}

export async function unpackPackage(
  { name, version, integrity }: Omit<NpmPackage, 'file'>,
  workFolder: string,
  file = '',
): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', `${name}@${version}`], { cwd: workFolder, maxBuffer: 1 << 26 });
  const archive = join(workFolder, (JSON.parse(stdout) as { filename: string }[])[0]?.filename.replace('@', '').replace('/', '-') ?? '');
  const hash = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name}@${version} is not the package that was meant: its hash is sha512-${hash}.`);
  await run('tar', ['xzf', archive, '-C', workFolder, `package/${file}`.replace(/\/$/, '')]);
  return join(workFolder, 'package');
}

async function readable(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
