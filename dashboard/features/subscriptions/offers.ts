import { limits } from '@porchlight/contract/limits.ts';
import type { Price, Product } from '@porchlight/contract/subscriptions.ts';

export type Interval = Price['interval'];

/** A plan at one interval. `amount`: cents. */
export interface Offer {
  /** The price's id, which the order uses (7.19). */
  price: string;
  product: string;
  name: string;
  amount: number;
  interval: Interval;
  device_limit: number;
}

/** The highest price first (2.119). */
export function offersOf(products: Product[], interval: Interval): Offer[] {
  return products
    .flatMap(({ id, name, prices }) =>
      prices.map((p): Offer => ({ price: p.id, product: id, name, amount: p.amount, interval: p.interval, device_limit: deviceLimit(p) })),
    )
    .filter((offer) => offer.interval === interval)
    .sort((a, b) => b.amount - a.amount);
}

/** Whether yearly payment saves the promised percentage (2.118) for every plan with both intervals. */
export function savesAsPromised(products: Product[]): boolean {
  const savings = products.flatMap(({ prices }) => {
    const amountOf = (interval: Interval) => prices.find((price) => price.interval === interval)?.amount;
    const [month, year] = [amountOf('month'), amountOf('year')];
    return month && year !== undefined ? [100 * (1 - year / (12 * month))] : [];
  });
  return savings.length > 0 && savings.every((saving) => Math.round(saving) >= limits.yearly_saving);
}

/** 3.11: the operator types this JSON at the payment service; unreadable text counts as one device. */
export function deviceLimit({ metadata }: Pick<Price, 'metadata'>): number {
  try {
    const { device_limit: limit } = JSON.parse(metadata.metadata) as { device_limit?: unknown };
    return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 ? limit : 1;
  } catch {
    return 1;
  }
}
