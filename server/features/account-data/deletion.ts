import { sql } from 'kysely';
import { accountTables } from '../../db/account-data.ts';
import type { Trx } from '../../db/open.ts';
import type { AccountKeys } from '../../db/owned-rows.ts';
import type { ForgetAttempts } from '../../http/rate-limit.ts';
import type { Kernel } from '../../kernel.ts';
import { newToken } from '../../secrets/tokens.ts';
import { accountDeletedEmail } from './deletion-email.ts';

export interface AccountDeletionDeps extends Pick<Kernel, 'db' | 'enqueue'> {
  /** Ends the account's plans at the payment service, before anything is deleted. Throws when that is not certain to have happened. */
  cancelPlans(account: string): Promise<number>;
  isInIncident(account: string, trx?: Trx): Promise<boolean>;
  /** Removes one device as its holder does: its agent learns of it at its next call (P3.6). */
  removeDevice(trx: Trx, account: string, device: string): Promise<unknown>;
  /** Deletes what was counted for the account's address, such as attempts to log in. */
  forgetAttempts: ForgetAttempts;
}

/**
 * `in_incident`: nothing was deleted, because the caller may be the scammer (P9.1). `gone`: there is no such account. `stopped`: the holder
 * has stopped it meanwhile.
 */
export type DeletionRefusal = 'in_incident' | 'gone' | 'stopped';

export interface DeletionOptions {
  during_incident: boolean;
  /** Whether it may still happen. Asked once the account is locked, since the payment service takes its time. */
  isDue?: (trx: Trx) => Promise<boolean>;
}

/** `plans`: how many were canceled now. `mailed`: whether an email was queued; never to an address that was not confirmed. */
export type DeletionResult = { refused: DeletionRefusal; plans: number } | { refused: null; plans: number; mailed: boolean };

/** Deletes accounts: all rows of one or none (P13.2). Repeatable after every failure. */
export function accountDeletion(deps: AccountDeletionDeps) {
  const { db, isInIncident } = deps;
  return {
    isInIncident,

    /** How many rows of each kind would be deleted, without kinds that have none. */
    async count(account: AccountKeys): Promise<{ title: string; count: number }[]> {
      const counts: { title: string; count: number }[] = [];
      for (const { name, title, owned, outlasts } of accountTables.toReversed()) {
        if (outlasts !== undefined) continue;
        const statement = sql<{ count: string }>`select count(*) as count from ${sql.table(name)} where ${owned(account)}`;
        const count = Number((await statement.execute(db)).rows[0]?.count ?? 0);
        if (count) counts.push({ title, count });
      }
      return counts;
    },

    async delete(uuid: string, options: DeletionOptions): Promise<DeletionResult> {
      if (!options.during_incident && (await isInIncident(uuid))) return { refused: 'in_incident', plans: 0 };
      const plans = await deps.cancelPlans(uuid);
      const result = await withoutDeadlock(() => db.transaction().execute((trx) => deleteRows(trx, deps, uuid, options)));
      return { ...result, plans };
    },
  };
}

async function deleteRows(
  trx: Trx,
  deps: AccountDeletionDeps,
  uuid: string,
  { during_incident, isDue }: DeletionOptions,
): Promise<{ refused: DeletionRefusal } | { refused: null; mailed: boolean }> {
  // Not `for update`, which could deadlock with a device's report that references the account.
  const account = await trx.selectFrom('accounts').selectAll().where('uuid', '=', uuid).forNoKeyUpdate().executeTakeFirst();
  if (!account) return { refused: 'gone' };
  if (isDue && !(await isDue(trx))) return { refused: 'stopped' };
  // It may have opened while the payment service was asked.
  if (!during_incident && (await deps.isInIncident(uuid, trx))) return { refused: 'in_incident' };
  // Locked before the devices, as Stripe's event about the canceled plan does.
  await trx.selectFrom('customers').select('id').where('account', '=', uuid).forUpdate().execute();
  // Locked before what they report, in the order in which reports lock.
  const devices = await trx.selectFrom('devices').select('uuid').where('account', '=', uuid).orderBy('uuid').forUpdate().execute();
  for (const { name, owned, outlasts } of accountTables) {
    if (name === 'devices') for (const device of devices) await deps.removeDevice(trx, uuid, device.uuid);
    if (outlasts === undefined) await sql`delete from ${sql.table(name)} where ${owned(account)}`.execute(trx);
  }
  await deps.forgetAttempts(trx, account.email);
  if (!account.email_verified) return { refused: null, mailed: false };
  // The email is queued after the account's other jobs are deleted, because it would be one of them.
  await deps.enqueue(trx, 'mail', `account-deleted:${newToken()}`, { to: account.email, ...accountDeletedEmail(account.name) });
  return { refused: null, mailed: true };
}

/** 40P01: `deadlock_detected`. */
const isDeadlock = (err: unknown) => /^40P01$/.test((err as { code?: string }).code ?? '');
const attempts = 5;

/** A report of one of the devices may wait for the account while the deletion waits for the device: PostgreSQL ends one of the two. */
async function withoutDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (err) {
      if (!isDeadlock(err) || attempt === attempts) throw err;
    }
  }
}
