import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '@porchlight/server/db/embedded/start.ts';
import { migrate } from '@porchlight/server/db/migrate.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

const run = promisify(execFile);
const cache = join(root, '.cache', 'clusters');

/** Copies an empty database, in a tenth of the time of creating it: tests start a hundred servers. */
export async function putReadyCluster(dataDir: string): Promise<void> {
  const ready = join(cache, await keyOf());
  if (!(await exists(ready))) await makeCluster(ready);
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { mode: 0o700 });
  // `cp` shares blocks where the file system can. The server sets the files' owner.
  await run('cp', ['-Rp', join(ready, 'cluster'), join(folder, 'cluster')]);
}

/** The name of the prepared database; it changes with the table definitions and with PostgreSQL. */
async function keyOf(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.getuid?.() ?? ''}`);
  for (const file of [...filesBelow('server/db', /\.(ts|sql)$/), 'package-lock.json'])
    hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

async function makeCluster(ready: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draftFolder = join(cache, `making-${randomBytes(4).toString('hex')}`);
  try {
    const { url, stop } = await startEmbedded({ folder: draftFolder, log: () => {} });
    try {
      const { db, close } = openDb(url);
      await migrate(db).finally(close);
    } finally {
      await stop();
    }
    // Fails if another process has already made the same database.
    await rename(draftFolder, ready).catch(() => {});
  } finally {
    await rm(draftFolder, { recursive: true, force: true });
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
