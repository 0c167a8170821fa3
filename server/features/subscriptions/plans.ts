import type Stripe from 'stripe';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { type Log, stripeCaller } from './ask.ts';
import { planCancelling } from './cancel.ts';
import { checkoutStore } from './checkout-store.ts';
import { customers as newCustomers } from './customers.ts';
import { doubtStore } from './doubts.ts';
import { planAnnouncements } from './lifecycle.ts';
import { nightly } from './nightly.ts';
import { orders } from './order.ts';
import { accountGuard, paymentAccountStore } from './payment-account.ts';
import { paymentHealth } from './payment-health.ts';
import { portal } from './portal.ts';
import { products as newProducts } from './products.ts';
import { promos as newPromos } from './promos.ts';
import type { SubscriptionStore } from './store.ts';
import { planSync } from './sync.ts';

export interface PlanDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'forgetJobs' | 'events'> {
  log: Log;
  store: SubscriptionStore;
  stripe: Stripe;
  livemode: boolean;
  plan_names: Record<string, string>;
  development: boolean;
  dashboard_url: string;
  personOf(account: string, trx?: Trx): Promise<{ name: string; email: string }>;
}

/** Composes the parts of plans that call Stripe. */
export function plans(deps: PlanDeps) {
  const standing = accountGuard({ ...deps, accounts: paymentAccountStore(deps.db, deps.clock) });
  const health = paymentHealth(deps.stripe, deps.livemode);
  const callStripe = stripeCaller(deps.log, standing, health.note);
  const doubts = doubtStore(deps.db, deps.clock);
  const checkouts = checkoutStore(deps.db, deps.clock);
  const products = newProducts({ ...deps, ask: callStripe });
  const promos = newPromos({ ...deps, ask: callStripe });
  const customers = newCustomers({ ...deps, ask: callStripe });
  const announcements = planAnnouncements(deps);
  const sync = planSync({ ...deps, ask: callStripe, standing, doubts, checkouts, products, life: announcements });
  return {
    products,
    promos,
    sync,
    trouble: health.trouble,
    order: orders({ ...deps, ask: callStripe, standing, checkouts, products, promos, customers, sync }),
    portal: portal({ ...deps, ask: callStripe }),
    cancel: planCancelling({ ...deps, ask: callStripe }),
    night: nightly({ ...deps, ask: callStripe, doubts, sync, life: announcements }),
  };
}
