import { devPlan, planNames } from '@porchlight/contract/plans.ts';
import type { Price, Product } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Clock } from '../../lib/clock.ts';
import type { CallStripe, Log } from './ask.ts';
import { defaultDeviceLimit, deviceLimitIn } from './price-facts.ts';

export interface ProductDeps {
  stripe: Stripe;
  ask: CallStripe;
  clock: Clock;
  log: Log;
  /** The operator's plan names by price id (STRIPE_PLANS). */
  plan_names: Record<string, string>;
  development: boolean;
}

export type Products = ReturnType<typeof products>;

const cacheMs = 60_000;

/** Products on sale, cached for a minute; simultaneous calls share one request. */
export function products({ stripe, ask: callStripe, clock, log, plan_names, development }: ProductDeps) {
  const names = { ...planNames, ...plan_names };
  const ownName = (id: string) => (Object.hasOwn(names, id) ? names[id] : undefined);
  let cached: { until: number; list: Promise<Product[]> } | null = null;

  const load = async () => {
    const productsById = new Map<string, Product>();
    const searchOptions = { active: true, type: 'recurring', limit: 100, expand: ['data.product'] } as const;
    const prices = await callStripe(() =>
      stripe.prices.list({ ...searchOptions, expand: [...searchOptions.expand] }).autoPagingToArray({ limit: 1000 }),
    );
    for (const remote of prices) {
      const price = priceFrom(remote, log);
      const product = remote.product;
      if (!price || typeof product === 'string' || product.deleted || !product.active) continue;
      const productEntry = productsById.get(product.id) ?? { id: product.id, name: product.name, prices: [] };
      productEntry.name = ownName(price.id) ?? productEntry.name;
      productEntry.prices.push(price);
      productsById.set(product.id, productEntry);
    }
    return [...productsById.values()].filter(({ name }) => development || name !== devPlan);
  };

  const list = (): Promise<Product[]> => {
    const now = clock.now().getTime();
    if (cached && cached.until > now) return cached.list;
    const pendingList = load();
    const ownEntry = { until: now + cacheMs, list: pendingList };
    cached = ownEntry;
    pendingList.catch(() => {
      if (cached === ownEntry) cached = null;
    });
    return pendingList;
  };

  return {
    list,
    isOnSale: async (price: string) => (await list()).some(({ prices }) => prices.some(({ id }) => id === price)),
    /** The plan name of a price, also of prices no longer on sale. */
    async nameOf(price: string, options?: Stripe.RequestOptions): Promise<string> {
      const configuredName = ownName(price);
      if (configuredName) return configuredName;
      const { product } = await callStripe(() => stripe.prices.retrieve(price, { expand: ['product'] }, options));
      return typeof product === 'string' || product.deleted ? '' : product.name;
    },
  };
}

/** A price in our format; null for other intervals or currencies, or without a fixed price. */
function priceFrom({ id, recurring, unit_amount, currency, metadata }: Stripe.Price, log: Log): Price | null {
  const interval = (['month', 'year'] as const).find((known) => known === recurring?.interval);
  if (!interval) return null;
  if (recurring?.interval_count !== 1 || unit_amount === null || currency !== 'usd') return null;
  const device_limit = deviceLimitIn(metadata.metadata);
  if (device_limit === null) log.warn({ price: id }, 'the metadata of a price does not say its device limit');
  // The metadata is written again to guarantee a valid device limit.
  return {
    id,
    amount: unit_amount,
    interval,
    metadata: { metadata: JSON.stringify({ device_limit: device_limit ?? defaultDeviceLimit }) },
  };
}
