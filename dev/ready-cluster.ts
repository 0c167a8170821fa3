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

/**
 * Puts a database with all tables and no rows into a new data folder, as the first start of a server leaves it before it stores anything. Copying one takes
 * a tenth of the time of making one, and tests start a hundred servers.
 */
export async function putReadyCluster(dataDir: string): Promise<void> {
  const ready = join(cache, await keyOf());
  if (!(await exists(ready))) await makeCluster(ready);
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { mode: 0o700 });
  // `cp` shares the blocks of the files where the file system can. The server gives them their owner.
  await run('cp', ['-Rp', join(ready, 'cluster'), join(folder, 'cluster')]);
}

/** Another one whenever what makes the tables, or PostgreSQL itself, is another. */
async function keyOf(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.getuid?.() ?? ''}`);
  for (const file of [...filesBelow('server/db', /\.ts$/), 'package-lock.json']) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

async function makeCluster(ready: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const draft = join(cache, `making-${randomBytes(4).toString('hex')}`);
  try {
    const { url, stop } = await startEmbedded({ folder: draft, log: () => {} });
    try {
      const { db, close } = openDb(url);
      await migrate(db).finally(close);
    } finally {
      await stop();
    }
    // Another process that was faster has made the same one.
    await rename(draft, ready).catch(() => {});
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
