import { type Selectable, sql } from 'kysely';
import { lockAccount } from './lock-account.ts';
import type { Db, Trx } from './open.ts';
import type { Tables } from './tables.ts';

/** Tables with at most one row for each account. */
type ChoiceTable = 'alert_settings' | 'browsing_protection' | 'unlisted_protection';

/**
 * What holders chose, in a table of their own. `defaults` has every column, and counts where an account has no row. `changed`: called in the
 * transaction of each change.
 */
export function accountChoices<T extends ChoiceTable>(
  db: Db,
  table: T,
  defaults: Omit<Selectable<Tables[T]>, 'account'>,
  changed: (trx: Trx, account: string) => Promise<unknown> = async () => {},
) {
  type Choices = typeof defaults;
  // The three tables differ in columns alone, which the type of `defaults` checks.
  const oneTable = table as 'alert_settings';
  const columns = Object.keys(defaults) as 'mail'[];

  const of = async (account: string, connection: Db | Trx = db): Promise<Choices> => {
    const row = await connection.selectFrom(oneTable).select(columns).where('account', '=', account).executeTakeFirst();
    return (row as Choices | undefined) ?? defaults;
  };

  /** Locks the account. */
  const ofLocked = async (trx: Trx, account: string): Promise<Choices> => {
    await lockAccount(trx, account);
    return of(account, trx);
  };
  const set = async (trx: Trx, account: string, choices: Choices): Promise<void> => {
    const row = choices as unknown as Omit<Tables['alert_settings'], 'account'>;
    await trx
      .insertInto(oneTable)
      .values({ account, ...row })
      .onConflict((oc) => oc.column('account').doUpdateSet(row))
      .execute();
    await changed(trx, account);
  };
  /** See `PolicyPart`. */
  const inPolicy = {
    found: sql<Choices | null>`(select to_jsonb(c) - 'account' from ${sql.table(table)} c where c.account = d.account)`,
    read: (found: Choices | null): Choices => found ?? defaults,
  };
  return {
    ...{ of, ofLocked, set, inPolicy },
    /** Changes some choices, and leaves the others. */
    change: async (trx: Trx, account: string, choices: Partial<Choices>) =>
      set(trx, account, { ...(await ofLocked(trx, account)), ...choices }),
  };
}
