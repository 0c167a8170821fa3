import { isValid, type Subscription } from '@porchlight/contract/subscriptions.ts';
import type { Db, Trx } from '../../db/open.ts';

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

/** The plan of an account. Nothing is sold yet: a device limit without a subscription is complementary (4.18), or comes with a sign-up code. */
export function subscriptionStore(db: Db) {
  const of = async (account: string, on: Db | Trx = db): Promise<Subscription> => {
    const { register_promo_code: code, ...plan } = await on
      .selectFrom('accounts')
      .select(['device_limit', 'external', 'lifetime', 'register_promo_code'])
      .where('uuid', '=', account)
      .executeTakeFirstOrThrow();
    return { subscribed: false, expires: null, ...plan, register_promo_code: code === null ? null : { code } };
  };
  return {
    of,
    isValid: async (account: string) => isValid(await of(account)),
    deviceLimit: async (account: string, on: Db | Trx = db) => (await of(account, on)).device_limit,
  };
}
