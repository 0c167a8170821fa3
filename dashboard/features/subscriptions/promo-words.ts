import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import { dollars } from '../../lib/money.ts';

type Offer = Pick<PromoCode, 'amount_off' | 'percent_off' | 'duration' | 'duration_in_months'>;

/** `25% off`, `$10.00 off` (2.128). */
export function amountOff({ amount_off, percent_off }: Offer): string {
  return `${percent_off === null ? dollars(amount_off ?? 0) : `${percent_off}%`} off`;
}

/** `your first 3 months`, `the life of your subscription` (2.128). */
export function howLong({ duration, duration_in_months: n }: Offer): string {
  if (duration === 'forever') return 'the life of your subscription';
  return n === 1 ? 'your first month' : `your first ${n} months`;
}
