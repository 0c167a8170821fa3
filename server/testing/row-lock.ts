import { sql } from 'kysely';
import type { Trx } from '../db/open.ts';
import type { TestServer } from './world.ts';

const lockNotAvailable = '55P03';

/** Whether a second transaction must wait for the first one. */
export function mustWait(
  { db }: Pick<TestServer, 'db'>,
  first: (trx: Trx) => Promise<unknown>,
  second: (trx: Trx) => Promise<unknown>,
): Promise<boolean> {
  const secondTransaction = () =>
    db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '50ms'`.execute(trx);
      await second(trx);
    });
  return db.transaction().execute(async (trx) => {
    await first(trx);
    return secondTransaction().then(
      () => false,
      (err: { code?: string }) => {
        if (err.code !== lockNotAvailable) throw err;
        return true;
      },
    );
  });
}
