import { randomUUID } from 'node:crypto';
import { fixedPolicies, type OwnPolicy, type PolicyId } from '@porchlight/contract/policies.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

import { stopsLess } from './rules.ts';

export type PolicyStore = ReturnType<typeof policyStore>;

/** The protection profiles that holders made for themselves. */
export function policyStore(db: Db, clock: Clock) {
  const columns = ['uuid', 'name', 'actions'] as const;

  const nameAndProtection = async (trx: Trx, account: string, policy: string) => {
    const own = await trx
      .selectFrom('custom_policies')
      .select(columns)
      .where('account', '=', account)
      .where(sql`uuid::text`, '=', policy)
      .executeTakeFirst();
    if (own) return { name: own.name, actions: own.actions, block_likely: true };
    const fixed = policy === 'permissive' ? policy : 'strict';
    const { name, actions } = fixedPolicies[fixed];
    return { name: name.replace(/ \(Default\)$/, ''), actions, block_likely: fixed === 'strict' };
  };

  return {
    /** What a profile is called and does; one that is no longer there protects like strict. Null unless the second one stops less than the first. */
    async stopsLess(trx: Trx, account: string, before: PolicyId, now: PolicyId): Promise<{ name: string } | null> {
      if (before === now) return null;
      const next = await nameAndProtection(trx, account, now);
      return stopsLess(await nameAndProtection(trx, account, before), next) ? { name: next.name } : null;
    },

    list: (account: string) =>
      db.selectFrom('custom_policies').select(columns).where('account', '=', account).orderBy('created').orderBy('uuid').execute(),

    /** All of the account, which is locked: two that are written at once come one after the other. `same`: called `name`, as the index on names sees it. */
    async listLocked(trx: Trx, account: string, name: string) {
      // Not `for update`: a report of a device that is being written refers to the account, and this may come to wait for that device.
      await trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forNoKeyUpdate().execute();
      return trx
        .selectFrom('custom_policies')
        .select(['uuid', 'name', 'actions', sql<boolean>`lower(name) = lower(${name})`.as('same')])
        .where('account', '=', account)
        .execute();
    },

    /** Whether an installed device has it. */
    async inUse(trx: Trx, account: string, uuid: string): Promise<boolean> {
      const device = trx.selectFrom('devices').select('uuid').where('account', '=', account).where('policy', '=', uuid);
      return (await device.where('last_seen', 'is not', null).executeTakeFirst()) !== undefined;
    },

    create: (trx: Trx, account: string, { name, actions }: OwnPolicy) =>
      trx
        .insertInto('custom_policies')
        .values({ uuid: randomUUID(), account, name, actions: JSON.stringify(actions), created: clock.now() })
        .returning(columns)
        .executeTakeFirstOrThrow(),

    change: (trx: Trx, account: string, uuid: string, { name, actions }: OwnPolicy) =>
      trx
        .updateTable('custom_policies')
        .set({ name, actions: JSON.stringify(actions) })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returning(columns)
        .executeTakeFirst(),

    remove: (trx: Trx, account: string, uuid: string) =>
      trx.deleteFrom('custom_policies').where('account', '=', account).where('uuid', '=', uuid).returning('uuid').executeTakeFirst(),

    /**
     * Whether the account has this profile. Until the transaction ends it is neither removed nor changed: a device that is put on it meanwhile would
     * be left with one that is gone, or with what it said before.
     */
    async holds(trx: Trx, account: string, uuid: string): Promise<boolean> {
      const row = await trx
        .selectFrom('custom_policies')
        .select('uuid')
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .forShare()
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
