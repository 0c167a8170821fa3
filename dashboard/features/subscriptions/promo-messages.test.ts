import { expect, test } from 'vitest';
import { amountOff, promoDuration, promoYears, withPromo } from './promo-messages.ts';

const offer = { amount_off: null, percent_off: null, duration: 'forever', duration_in_months: null } as const;

test('a promo’s discount is written in dollars for an amount, in percent for a percentage', () => {
  expect(amountOff({ ...offer, amount_off: 1000 })).toBe('$10.00 off');
  expect(amountOff({ ...offer, amount_off: 123_456 })).toBe('$1,234.56 off');
  expect(amountOff({ ...offer, percent_off: 25 })).toBe('25% off');
  expect(amountOff({ ...offer, percent_off: 12.5 })).toBe('12.5% off');
});

test('a promo’s duration is written in months, or as the life of the subscription', () => {
  expect(promoDuration(offer)).toBe('the life of your subscription');
  expect(promoDuration({ ...offer, duration: 'repeating', duration_in_months: 3 })).toBe('your first 3 months');
  expect(promoDuration({ ...offer, duration: 'repeating', duration_in_months: 1 })).toBe('your first month');
});

test('a yearly plan has the discount in each year that begins within its months', () => {
  expect([1, 3, 12, 13, 24, 25].map((months) => promoYears({ duration_in_months: months }))).toEqual([
    'your first year',
    'your first year',
    'your first year',
    'your first 2 years',
    'your first 2 years',
    'your first 3 years',
  ]);
});

test.each([
  [7999, { amount_off: 1000, percent_off: null }, 6999],
  [500, { amount_off: 1000, percent_off: null }, 0],
  [7999, { amount_off: null, percent_off: 20 }, 6399],
  [7999, { amount_off: null, percent_off: 12.5 }, 6999],
  [7999, { amount_off: null, percent_off: 100 }, 0],
])('%i cents with the discount %o cost %i cents', (amount, discount, discountedAmount) => {
  expect(withPromo(amount, discount)).toBe(discountedAmount);
});
