const inDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `$10.00` (9.2). */
export function dollars(cents: number): string {
  return inDollars.format(cents / 100);
}
