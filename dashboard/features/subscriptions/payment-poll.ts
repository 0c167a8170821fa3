import { limits } from '@porchlight/contract/limits.ts';

/** The waits before each time that the plan is asked for after a payment, in milliseconds: 300, each half as long again, none above 30,000 (4.20, 9.7). */
export function paymentWaits(): number[] {
  const waits: number[] = [];
  for (let wait = limits.payment_poll_first; wait <= limits.payment_poll_max; wait *= limits.payment_poll_factor) waits.push(wait);
  return waits;
}
