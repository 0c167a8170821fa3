import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { laneOf } from '../../jobs/lanes.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type DeletionRow = Selectable<Tables['account_deletions']>;
export type DeletionStore = ReturnType<typeof deletionStore>;

/** Deletions that can be stopped (P13.2). The row alone decides: jobs and links do nothing without it. */
export function deletionStore(db: Db, clock: Clock) {
  const rowOf = (connection: Db | Trx, account: string) =>
    connection.selectFrom('account_deletions').selectAll().where('account', '=', account);

  return {
    of: (account: string, connection: Db | Trx = db) => rowOf(connection, account).executeTakeFirst(),

    /** The lock makes a press that stops it come either before the deletion, or too late. */
    locked: (trx: Trx, account: string) => rowOf(trx, account).forUpdate().executeTakeFirst(),

    /** The caller has locked the account's weakening calls, and found no row. */
    add(trx: Trx, account: string): Promise<DeletionRow> {
      const asked = clock.now();
      const row = { account, asked, deletes: after(asked, serverLimits.deletion_wait) };
      return trx.insertInto('account_deletions').values(row).returningAll().executeTakeFirstOrThrow();
    },

    postpone: (trx: Trx, account: string, deletes: Date) =>
      trx.updateTable('account_deletions').set({ deletes }).where('account', '=', account).execute(),

    /** False if nothing waited. */
    async stop(trx: Trx, account: string): Promise<boolean> {
      const { numDeletedRows } = await trx.deleteFrom('account_deletions').where('account', '=', account).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    /** Deletions before this time, without those whose job waits, runs or is repeated. */
    before: (time: Date) =>
      db
        .selectFrom('account_deletions')
        .select(['account', 'asked'])
        .where('deletes', '<=', time)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs')
                .select('id')
                // The index of waiting jobs is by lane.
                .where('lane', '=', laneOf('account_deletion'))
                .where('kind', '=', 'account_deletion')
                .where('done_at', 'is', null)
                .where('failed_at', 'is', null)
                .where(sql`payload->>'account'`, '=', sql`account_deletions.account::text`),
            ),
          ),
        )
        .orderBy('deletes')
        .execute(),
  };
}
