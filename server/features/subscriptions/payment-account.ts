import type Stripe from 'stripe';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** An account at Stripe, in one of its modes: test and live share the id and nothing else. */
export interface PaymentAccount {
  id: string;
  livemode: boolean;
}

export type PaymentAccountStore = ReturnType<typeof paymentAccountStore>;

/** The account at Stripe to which the plans in this database belong. */
export function paymentAccountStore(db: Db, clock: Clock) {
  const get = (): Promise<PaymentAccount | undefined> => db.selectFrom('payment_account').select(['id', 'livemode']).executeTakeFirst();
  return {
    get,
    /** The account from now on. */
    async accept(account: PaymentAccount): Promise<void> {
      const row = { ...account, since: clock.now() };
      await db
        .insertInto('payment_account')
        .values(row)
        .onConflict((oc) => oc.column('only_one').doUpdateSet(row))
        .execute();
    },
    /** The account of these plans: the one that is stored, or, at the first use and while nobody is a customer anywhere, `asked`. */
    async orFirst(asked: PaymentAccount): Promise<PaymentAccount> {
      const stored = await get();
      if (stored && (same(stored, asked) || (await hasCustomers()))) return stored;
      // Nobody has anything at the account that was stored: there is nothing that could end.
      if (stored) await this.accept(asked);
      else {
        await db
          .insertInto('payment_account')
          .values({ ...asked, since: clock.now() })
          .onConflict((oc) => oc.doNothing())
          .execute();
      }
      return (await get()) ?? asked;
    },
  };

  async function hasCustomers(): Promise<boolean> {
    return (await db.selectFrom('customers').select('id').limit(1).executeTakeFirst()) !== undefined;
  }
}

export const same = (a: PaymentAccount, b: PaymentAccount) => a.id === b.id && a.livemode === b.livemode;
export const inWords = ({ id, livemode }: PaymentAccount) => `${id} (${livemode ? 'live' : 'test'} mode)`;

/** Whose key this is. Null: the key may not ask that (a restricted one). Throws what Stripe's library throws. */
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

/** `unchecked`: the key may not say whose it is. */
export type Standing = 'ours' | 'foreign' | 'unchecked';

/** How long it is believed that the account is still the right one, in milliseconds. */
const fresh = 60_000;
/** Stripe is asked once, so that nobody waits longer for it than for the call itself. */
const once = { timeout: 3000, maxNetworkRetries: 0 } satisfies Stripe.RequestOptions;

/**
 * Whether the key belongs to the account of our plans. Before it is known nothing that Stripe says may become ours: a key of another account
 * knows none of our customers. Throws what Stripe's library throws.
 */
export function accountGuard({ stripe, livemode, clock, accounts, log }: GuardDeps): () => Promise<Standing> {
  let asked: Promise<PaymentAccount | null> | null = null;
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
    asked ??= accountOfKey(stripe, livemode, once);
    const mine = await asked.catch((err: unknown) => {
      asked = null;
      throw err;
    });
    if (!mine) {
      warnOnce('warn', {}, mayNotSay);
      return 'unchecked';
    }
    const right = await accounts.orFirst(mine);
    if (!same(right, mine)) {
      warnOnce('error', { expected: right, found: mine }, foreignInWords(right, mine));
      return 'foreign';
    }
    ours_until = now + fresh;
    return 'ours';
  };
}

const mayNotSay =
  'STRIPE_SECRET_KEY may not read its own account, so it cannot be checked whose it is. Give the restricted key that permission at Stripe.';

/** For the operator. */
export function foreignInWords(right: PaymentAccount, found: PaymentAccount): string {
  return `The plans here belong to the Stripe account ${inWords(right)}, and STRIPE_SECRET_KEY to ${inWords(found)}. Every plan stays as it is, and nobody can order. Put the right key in, or, if the account is meant to be another one, run: npm run porchlight -- payments believe --account ${found.id}`;
}
