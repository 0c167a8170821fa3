import type { Db } from '../db/open.ts';

/** Stores when the newest backup was made, so that the server can notify the operator when there is none for too long. */
export const noteBackup = (db: Db, made: Date) =>
  db
    .insertInto('last_backup')
    .values({ made })
    .onConflict((oc) => oc.column('id').doUpdateSet({ made }))
    .execute();
