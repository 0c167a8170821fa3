import { randomUUID } from 'node:crypto';
import { fixedPolicies, type OwnPolicy, type PolicyId } from '@porchlight/contract/policies.ts';
import { sql } from 'kysely';
import { lockAccount } from '../../db/lock-account.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';
import { stopsLess } from './rules.ts';

/** The account's own profile that the device has; null for a fixed one. */
export const ownProfileInPolicy: PolicyPart<OwnPolicy | null, OwnPolicy | null> = {
  found: sql`(
    select jsonb_build_object('name', own.name, 'actions', own.actions)
    from custom_policies own where own.account = d.account and own.uuid::text = d.policy)`,
  read: (found) => found,
};

export type PolicyStore = ReturnType<typeof policyStore>;

export function policyStore(db: Db, clock: Clock) {
  const columns = ['uuid', 'name', 'actions'] as const;

  const nameAndProtection = async (trx: Trx, account: string, policy: string) => {
    const customProfile = await trx
      .selectFrom('custom_policies')
      .select(columns)
      .where('account', '=', account)
      .where(sql`uuid::text`, '=', policy)
      .executeTakeFirst();
    if (customProfile) return { name: customProfile.name, actions: customProfile.actions, block_likely: true };
    const fixedProfile = policy === 'permissive' ? policy : 'strict';
    const { name, actions } = fixedPolicies[fixedProfile];
    return { name: name.replace(/ \(Default\)$/, ''), actions, block_likely: fixedProfile === 'strict' };
  };

  return {
    /** The new profile's name if it blocks less than the previous one, else null. A deleted profile protects like strict. */
    async stopsLess(trx: Trx, account: string, previousPolicy: PolicyId, newPolicy: PolicyId): Promise<{ name: string } | null> {
      if (previousPolicy === newPolicy) return null;
      const newProtection = await nameAndProtection(trx, account, newPolicy);
      return stopsLess(await nameAndProtection(trx, account, previousPolicy), newProtection) ? { name: newProtection.name } : null;
    },

    list: (account: string) =>
      db.selectFrom('custom_policies').select(columns).where('account', '=', account).orderBy('created').orderBy('uuid').execute(),

    /** Locks the account. `same`: equals `name` in the database's index. */
    async listLocked(trx: Trx, account: string, name: string) {
      await lockAccount(trx, account);
      return trx
        .selectFrom('custom_policies')
        .select(['uuid', 'name', 'actions', sql<boolean>`lower(name) = lower(${name})`.as('same')])
        .where('account', '=', account)
        .execute();
    },

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

    /** The profile blocks everything from now on, as strict does. */
    blockAll: (trx: Trx, account: string, uuid: string) =>
      trx
        .updateTable('custom_policies')
        .set({ actions: JSON.stringify(fixedPolicies.strict.actions) })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .execute(),

    remove: (trx: Trx, account: string, uuid: string) =>
      trx.deleteFrom('custom_policies').where('account', '=', account).where('uuid', '=', uuid).returning('uuid').executeTakeFirst(),

    /** Locks the profile until the transaction ends, so that a device that gets it meanwhile does not have a deleted or outdated one. */
    async lockProfile(trx: Trx, account: string, uuid: string): Promise<boolean> {
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
