import type { Db } from '../../../db/open.ts';

/** Whether any account is older. It ends at the first such row, and a service where it has to read all of them is young and small. */
export async function isServiceOlderThan(db: Db, time: Date): Promise<boolean> {
  return (await db.selectFrom('accounts').select('uuid').where('created', '<', time).limit(1).executeTakeFirst()) !== undefined;
}
