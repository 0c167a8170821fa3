import type { Price, Product } from './api-types.ts';

/** Prices in cents. A year costs a third less than twelve months. */
const shop = [
  { key: 'individual', name: 'Porchlight Individual', device_limit: 1, month: 999, year: 7999, development: false },
  { key: 'family', name: 'Porchlight Friends and Family', device_limit: 5, month: 1999, year: 15_999, development: false },
  { key: 'dev', name: 'Porchlight for development', device_limit: 2, month: 100, year: 804, development: true },
];

/** The products of a new shop. People do not see these names, but the names that belong to the price (2.132). */
export function seedProducts(now: number): { products: Record<string, Product>; prices: Record<string, Price> } {
  const products = shop.map(({ key, name, development }) =>
    newProduct(`prod_${key}`, name, development ? { development: 'true' } : {}, now),
  );
  const prices = shop.flatMap(({ key, device_limit, month, year }) =>
    (
      [
        ['month', month],
        ['year', year],
      ] as const
    ).map(([interval, amount]) =>
      newPrice(
        {
          id: `price_${key}_${interval}ly`,
          product: `prod_${key}`,
          interval,
          amount,
          currency: 'usd',
          metadata: { metadata: JSON.stringify({ device_limit }) },
        },
        now,
      ),
    ),
  );
  return { products: byId(products), prices: byId(prices) };
}

const byId = <T extends { id: string }>(objects: T[]): Record<string, T> =>
  Object.fromEntries(objects.map((object) => [object.id, object]));

export function newProduct(id: string, name: string, metadata: Record<string, string>, now: number): Product {
  return {
    id,
    object: 'product',
    active: true,
    created: now,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    tax_details: null,
    type: 'service',
    updated: now,
    url: null,
  };
}

export interface NewPrice {
  id: string;
  product: string;
  interval: 'month' | 'year';
  amount: number;
  currency: string;
  metadata: Record<string, string>;
}

export function newPrice({ id, product, interval, amount, currency, metadata }: NewPrice, now: number): Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: now,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: id.replace(/^price_/, ''),
    metadata,
    nickname: null,
    product,
    recurring: { interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
}
