import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import { dollars } from '../../lib/money.ts';

type Off = Pick<PromoCode, 'amount_off' | 'percent_off'>;

/** `25% off`, `$10.00 off` (2.128). */
export function amountOff({ amount_off, percent_off }: Off): string {
  return `${percent_off === null ? dollars(amount_off ?? 0) : `${percent_off}%`} off`;
}

/** `your first 3 months`, `the life of your subscription` (2.128). */
export function promoDuration({ duration, duration_in_months: n }: Pick<PromoCode, 'duration' | 'duration_in_months'>): string {
  if (duration === 'forever') return 'the life of your subscription';
  return n === 1 ? 'your first month' : `your first ${n} months`;
}

/** `your first year`: what a yearly plan takes the discount off, because a year is paid at once. */
export function promoYears({ duration_in_months: months }: Pick<PromoCode, 'duration_in_months'>): string {
  const years = Math.ceil((months ?? 0) / 12);
  return years <= 1 ? 'your first year' : `your first ${years} years`;
}

/** The discounted amount in whole cents, never negative. */
export function withPromo(amount: number, { amount_off, percent_off }: Off): number {
  const discount = percent_off === null ? (amount_off ?? 0) : Math.round((amount * percent_off) / 100);
  return Math.max(0, amount - discount);
}
