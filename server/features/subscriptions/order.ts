import { createHash } from 'node:crypto';
import { limits } from '@porchlight/contract/limits.ts';
import type Stripe from 'stripe';
import { fail } from '../../lib/errors.ts';
import { type CallStripe, isRejection } from './ask.ts';
import type { CheckoutStore } from './checkout-store.ts';
import type { Customers } from './customers.ts';
import type { Standing } from './payment-account.ts';
import type { Products } from './products.ts';
import type { Promos } from './promos.ts';
import { isOpen } from './rules.ts';
import type { SubscriptionStore } from './store.ts';
import type { Sync } from './sync.ts';

export interface OrderDeps {
  stripe: Stripe;
  ask: CallStripe;
  standing(): Promise<Standing>;
  store: SubscriptionStore;
  checkouts: CheckoutStore;
  products: Products;
  promos: Promos;
  customers: Customers;
  sync: Sync;
  dashboard_url: string;
}

/** Opens Stripe's payment page and returns its address (7.19). */
export function orders(deps: OrderDeps): (account: string, wantedOrder: { price: string; promo: string | null }) => Promise<string> {
  const { ask: callStripe, stripe, store, checkouts, products, promos, customers, sync } = deps;

  /** The open payment page of the same order, if any; closes all other pages. */
  const openPage = async (account: string, pages: Pages, price: string, promo: string | null): Promise<string | null> => {
    let url: string | null = null;
    for (const page of pages.filter(({ done_at }) => done_at === null)) {
      const session = await callStripe(() =>
        stripe.checkout.sessions.retrieve(page.id).catch((err: unknown) => {
          if (isRejection(err)) return null;
          throw err;
        }),
      );
      if (!session) {
        await checkouts.done(page.id);
        continue;
      }
      if (session.status === 'complete') {
        if ((await sync(account)).some(isOpen)) fail('subscription_open');
      } else if (session.status === 'open' && session.url && !url && page.price === price && page.promo === promo) {
        url = session.url;
        continue;
      } else if (session.status === 'open') await expire(page.id);
      await checkouts.done(page.id);
    }
    return url;
  };
  const expire = (id: string) =>
    callStripe(() =>
      stripe.checkout.sessions.expire(id).catch((err: unknown) => {
        // The page was paid or closed meanwhile. If paid, the next sync resolves duplicates.
        if (!isRejection(err)) throw err;
      }),
    );

  return async (account, { price, promo }) => {
    const plan = await store.of(account);
    if (plan.external) fail('external_plan');
    if (plan.lifetime) fail('lifetime_plan');
    if (!(await products.isOnSale(price))) fail('price_unknown');
    // Stored data may be outdated: it must neither allow paying twice nor prevent buying after a plan's end.
    const subs = await sync(account);
    if (subs.some(isOpen)) fail('subscription_open');

    let customer = await customers.of(account);
    const code = promo || plan.register_promo_code?.code || null;
    const discount = code === null ? null : await promos.idOf(code);
    const pages = await checkouts.of(account);
    const reusedPage = await openPage(account, pages, price, discount);
    if (reusedPage) return reusedPage;

    const trial = await customers.mayHaveTrial(account, customer, subs);
    const create = (promotion: string | null) => {
      const params = sessionFor({ account, customer, price, promotion, trial, dashboard_url: deps.dashboard_url });
      const hash = createHash('sha256').update(JSON.stringify(params)).digest('hex');
      return stripe.checkout.sessions.create(params, { idempotencyKey: `checkout:${account}:${pages.length}:${hash}` });
    };
    const session = await callStripe(() =>
      create(discount).catch(async (err: unknown) => {
        // Only the right Stripe account can report that a customer is missing.
        if (isRejection(err, 'customer') && (await deps.standing()) === 'ours') {
          customer = await customers.replaceCustomer(account, customer);
          return create(discount);
        }
        // A promo that does not apply is left out (8.16).
        if (discount && isRejection(err, 'discounts')) return create(null);
        if (isRejection(err, 'line_items')) fail('price_unknown');
        throw err;
      }),
    );
    for (const otherPage of await checkouts.open(account, { id: session.id, price, promo: discount })) await expire(otherPage);
    return session.url ?? fail('payments_down');
  };
}

type Pages = Awaited<ReturnType<CheckoutStore['of']>>;

interface Wanted {
  account: string;
  customer: string;
  price: string;
  promotion: string | null;
  trial: boolean;
  dashboard_url: string;
}

function sessionFor({ account, customer, price, promotion, trial, dashboard_url }: Wanted): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'subscription',
    customer,
    client_reference_id: account,
    metadata: { account },
    line_items: [{ price, quantity: 1 }],
    subscription_data: { metadata: { account }, ...(trial ? { trial_period_days: limits.trial_days } : {}) },
    ...(promotion ? { discounts: [{ promotion_code: promotion }] } : { allow_promotion_codes: true }),
    success_url: `${dashboard_url}/stripe/success`,
    cancel_url: `${dashboard_url}/stripe/cancel`,
  };
}
