import { limits } from '@porchlight/contract/limits.ts';

/** Milliseconds: 300, each half as long again, none above 30,000 (4.20, 9.7). */
export function paymentWaits(): number[] {
  const waits: number[] = [];
  for (let wait = limits.payment_poll_first; wait <= limits.payment_poll_max; wait *= limits.payment_poll_factor) waits.push(wait);
  return waits;
}
