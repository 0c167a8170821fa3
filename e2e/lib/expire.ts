import type { World } from '@porchlight/dev/world.ts';
import { inDatabase } from './database.ts';

export const expireAll = (world: World, table: 'device_codes' | 'email_links'): Promise<void> =>
  inDatabase(world, (db) =>
    db
      .updateTable(table)
      .set({ expires: new Date(0) })
      .execute(),
  );
