import { language } from '@porchlight/contract/language.ts';

const inDollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });

/** `$10.00` (9.2). */
export function dollars(cents: number): string {
  return inDollars.format(cents / 100);
}
