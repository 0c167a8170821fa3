import type Stripe from 'stripe';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** A Stripe account. Its test and live mode share the id and nothing else. */
export interface PaymentAccount {
  id: string;
  livemode: boolean;
}

export type PaymentAccountStore = ReturnType<typeof paymentAccountStore>;

/** The Stripe account of this database's plans. */
export function paymentAccountStore(db: Db, clock: Clock) {
  const storedAccount = (): Promise<PaymentAccount | undefined> =>
    db.selectFrom('payment_account').select(['id', 'livemode']).executeTakeFirst();
  const accept = async (account: PaymentAccount): Promise<void> => {
    const row = { ...account, since: clock.now() };
    await db
      .insertInto('payment_account')
      .values(row)
      .onConflict((oc) => oc.column('only_one').doUpdateSet(row))
      .execute();
  };
  return {
    get: storedAccount,
    accept,

    /** The stored account; without customers, the key's account is stored first. */
    async storedOrFirst(keyAccount: PaymentAccount): Promise<PaymentAccount> {
      const stored = await storedAccount();
      if (stored && (isSameAccount(stored, keyAccount) || (await hasCustomers()))) return stored;
      // The account may change while there are no customers, because then no plan can end.
      if (stored) await accept(keyAccount);
      else {
        await db
          .insertInto('payment_account')
          .values({ ...keyAccount, since: clock.now() })
          .onConflict((oc) => oc.doNothing())
          .execute();
      }
      return (await storedAccount()) ?? keyAccount;
    },
  };

  async function hasCustomers(): Promise<boolean> {
    return (await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()) !== undefined;
  }
}

export const isSameAccount = (a: PaymentAccount, b: PaymentAccount) => a.id === b.id && a.livemode === b.livemode;
export const inWords = ({ id, livemode }: PaymentAccount) => `${id} (${livemode ? 'live' : 'test'} mode)`;

/** The key's account; null when a restricted key may not read it. Throws Stripe's errors. */
export async function accountOfKey(stripe: Stripe, livemode: boolean, options?: Stripe.RequestOptions): Promise<PaymentAccount | null> {
  try {
    return { id: (await stripe.accounts.retrieveCurrent({}, options)).id, livemode };
  } catch (err) {
    if (err instanceof Error && 'type' in err && err.type === 'StripePermissionError') return null;
    throw err;
  }
}

export interface GuardDeps {
  stripe: Stripe;
  livemode: boolean;
  clock: Clock;
  accounts: PaymentAccountStore;
  log: { warn(o: object, m: string): void; error(o: object, m: string): void };
}

/** `unchecked`: the key may not read its account. */
export type Standing = 'ours' | 'foreign' | 'unchecked';

const cacheMs = 60_000;
/** One attempt, so that the check does not delay the actual call for long. */
const singleAttempt = { timeout: 3000, maxNetworkRetries: 0 } satisfies Stripe.RequestOptions;

/**
 * Checks that the key belongs to the account of our plans. A foreign account does not know our customers, so its answers must not be
 * stored. Throws Stripe's errors.
 */
export function accountGuard({ stripe, livemode, clock, accounts, log }: GuardDeps): () => Promise<Standing> {
  let pendingCheck: Promise<PaymentAccount | null> | null = null;
  let ours_until = 0;
  let warned = '';
  const warnOnce = (level: 'warn' | 'error', facts: object, sentence: string) => {
    if (warned === sentence) return;
    warned = sentence;
    log[level](facts, sentence);
  };

  return async () => {
    const now = clock.now().getTime();
    if (ours_until > now) return 'ours';
    pendingCheck ??= accountOfKey(stripe, livemode, singleAttempt);
    const keyAccount = await pendingCheck.catch((err: unknown) => {
      pendingCheck = null;
      throw err;
    });
    if (!keyAccount) {
      warnOnce('warn', {}, mayNotSayWords);
      return 'unchecked';
    }
    const expectedAccount = await accounts.storedOrFirst(keyAccount);
    if (!isSameAccount(expectedAccount, keyAccount)) {
      warnOnce('error', { expected: expectedAccount, found: keyAccount }, foreignInWords(expectedAccount, keyAccount));
      return 'foreign';
    }
    ours_until = now + cacheMs;
    return 'ours';
  };
}

const mayNotSayWords =
  'STRIPE_SECRET_KEY may not read its own account, so it cannot be checked whose it is. Give the restricted key that permission at Stripe.';

export function foreignInWords(expectedAccount: PaymentAccount, foundAccount: PaymentAccount): string {
  return `The plans here belong to the Stripe account ${inWords(expectedAccount)}, and STRIPE_SECRET_KEY to ${inWords(foundAccount)}. Every plan stays as it is, and nobody can order. Put the right key in, or, if the account is meant to be another one, run: npm run porchlight -- payments believe --account ${foundAccount.id}`;
}
