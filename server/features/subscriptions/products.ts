import { devPlan, planNames } from '@porchlight/contract/plans.ts';
import type { Price, Product } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Clock } from '../../lib/clock.ts';
import type { Ask, Log } from './ask.ts';
import { deviceLimitIn, devicesAtLeast } from './price-facts.ts';

export interface ProductDeps {
  stripe: Stripe;
  ask: Ask;
  clock: Clock;
  log: Log;
  /** The operator's own names by price id, before ours (STRIPE_PLANS). */
  plan_names: Record<string, string>;
  /** Where people work on the product, as they said themselves: only there is its own plan sold. */
  development: boolean;
}

export type Products = ReturnType<typeof products>;

/** How long a list of products is good for, in milliseconds. */
const fresh = 60_000;

/** What is sold. Kept for a minute, so that a busy day does not become one at Stripe; people who ask at once share one question. */
export function products({ stripe, ask, clock, log, plan_names, development }: ProductDeps) {
  const names = { ...planNames, ...plan_names };
  const ownName = (id: string) => (Object.hasOwn(names, id) ? names[id] : undefined);
  let kept: { until: number; list: Promise<Product[]> } | null = null;

  const load = async () => {
    const found = new Map<string, Product>();
    const search = { active: true, type: 'recurring', limit: 100, expand: ['data.product'] } as const;
    const prices = await ask(() => stripe.prices.list({ ...search, expand: [...search.expand] }).autoPagingToArray({ limit: 1000 }));
    for (const remote of prices) {
      const price = priceFrom(remote, log);
      const product = remote.product;
      if (!price || typeof product === 'string' || product.deleted || !product.active) continue;
      const entry = found.get(product.id) ?? { id: product.id, name: product.name, prices: [] };
      entry.name = ownName(price.id) ?? entry.name;
      entry.prices.push(price);
      found.set(product.id, entry);
    }
    return [...found.values()].filter(({ name }) => development || name !== devPlan);
  };

  const list = (): Promise<Product[]> => {
    const now = clock.now().getTime();
    if (kept && kept.until > now) return kept.list;
    const loading = load();
    const mine = { until: now + fresh, list: loading };
    kept = mine;
    // A failure is not kept: the next one asks again.
    loading.catch(() => {
      if (kept === mine) kept = null;
    });
    return loading;
  };

  return {
    list,
    sells: async (price: string) => (await list()).some(({ prices }) => prices.some(({ id }) => id === price)),
    /** What people call the plan with this price, also when it is not sold any more. */
    async nameOf(price: string, options?: Stripe.RequestOptions): Promise<string> {
      const own = ownName(price);
      if (own) return own;
      const { product } = await ask(() => stripe.prices.retrieve(price, { expand: ['product'] }, options));
      return typeof product === 'string' || product.deleted ? '' : product.name;
    },
  };
}

/** Null for what a person cannot order here: another rhythm, another currency, no fixed price. */
function priceFrom({ id, recurring, unit_amount, currency, metadata }: Stripe.Price, log: Log): Price | null {
  const interval = (['month', 'year'] as const).find((known) => known === recurring?.interval);
  if (!interval) return null;
  if (recurring?.interval_count !== 1 || unit_amount === null || currency !== 'usd') return null;
  const device_limit = deviceLimitIn(metadata.metadata);
  if (device_limit === null) log.warn({ price: id }, 'the metadata of a price does not say its device limit');
  // Written again, so that whoever reads it can rely on it.
  return { id, amount: unit_amount, interval, metadata: { metadata: JSON.stringify({ device_limit: device_limit ?? devicesAtLeast }) } };
}
