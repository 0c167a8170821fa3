import { isValid, type Subscription } from '@porchlight/contract/subscriptions.ts';
import type { Db, Trx } from '../../db/open.ts';

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

/** The plan of an account. Every account is complementary so far: a device limit without a subscription (4.18). */
export function subscriptionStore(db: Db) {
  const of = async (account: string, on: Db | Trx = db): Promise<Subscription> => {
    const { device_limit } = await on.selectFrom('accounts').select('device_limit').where('uuid', '=', account).executeTakeFirstOrThrow();
    return { subscribed: false, device_limit, expires: null, external: false, lifetime: false, register_promo_code: null };
  };
  return {
    of,
    isValid: async (account: string) => isValid(await of(account)),
    deviceLimit: async (account: string, on: Db | Trx = db) => (await of(account, on)).device_limit,
  };
}
