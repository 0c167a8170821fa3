import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NpmPackage } from './targets.ts';

const run = promisify(execFile);

/** The path of one file of a package, which npm fetches once into `cache`. Throws when the package has another hash. */
export async function fetched({ name, version, integrity, file }: NpmPackage, cache: string): Promise<string> {
  // The hash is part of the name: a file that is there was checked when it was fetched.
  const cached = join(cache, `${name.replace(/\W+/g, '-')}-${version}-${integrity.slice(7, 19).replace(/\W/g, '_')}`);
  const path = join(cached, file.split('/').at(-1) ?? '');
  if (await readable(path)) return path;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    const folder = await fetchedPackage({ name, version, integrity }, work, file);
    await mkdir(join(work, 'cached'));
    await copyFile(join(folder, file), join(work, 'cached', file.split('/').at(-1) ?? ''));
    await rm(cached, { recursive: true, force: true });
    await rename(join(work, 'cached'), cached);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return path;
}

/** Fetches a package with npm and unpacks it, or one `file` of it, below `work`; answers the folder. Throws when its hash is another one. */
export async function fetchedPackage({ name, version, integrity }: Omit<NpmPackage, 'file'>, work: string, file = ''): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', `${name}@${version}`], { cwd: work, maxBuffer: 1 << 26 });
  const archive = join(work, (JSON.parse(stdout) as { filename: string }[])[0]?.filename.replace('@', '').replace('/', '-') ?? '');
  const hash = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name}@${version} is not the package that was meant: its hash is sha512-${hash}.`);
  await run('tar', ['xzf', archive, '-C', work, `package/${file}`.replace(/\/$/, '')]);
  return join(work, 'package');
}

async function readable(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
