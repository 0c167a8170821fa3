import { join } from 'node:path';
import type { World } from '@porchlight/dev/world.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';

export async function expireAll(world: World, table: 'device_codes' | 'email_links'): Promise<void> {
  const postmaster = await findPostmaster(join(world.dataDir, 'postgres', 'cluster'));
  if (!postmaster) throw new Error('The database of the world does not run.');
  const { db, close } = openDb(urlOf(postmaster.socketFolder), 1);
  try {
    await db
      .updateTable(table)
      .set({ expires: new Date(0) })
      .execute();
  } finally {
    await close();
  }
}
