import { join } from 'node:path';
import type { World } from '@porchlight/dev/world.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';

type Db = ReturnType<typeof openDb>['db'];

/** For what only time changes: the server of a world has the real clock. */
export async function inDatabase(world: World, work: (db: Db) => Promise<unknown>): Promise<void> {
  const postmaster = await findPostmaster(join(world.dataDir, 'postgres', 'cluster'));
  if (!postmaster) throw new Error('The database of the world does not run.');
  const { db, close } = openDb(urlOf(postmaster.socketFolder), 1);
  try {
    await work(db);
  } finally {
    await close();
  }
}
