import { dollars } from '../../lib/money.ts';
import { messages } from './messages.ts';
import type { Interval } from './offers.ts';

/** `$79.99 / yr` (2.122, 9.2). */
export function priceMessage(cents: number, interval: Interval): string {
  return `${dollars(cents)} / ${messages.per[interval]}`;
}
