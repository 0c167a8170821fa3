import type { World } from '@porchlight/dev/world.ts';
import { openDb } from '@porchlight/server/db/open.ts';

type Db = ReturnType<typeof openDb>['db'];

/** For what only time changes: the server of a world has the real clock. */
export async function inDatabase(world: World, work: (db: Db) => Promise<unknown>): Promise<void> {
  const { db, close } = openDb(await world.databaseUrl(), 1);
  try {
    await work(db);
  } finally {
    await close();
  }
}
