import { expect, test } from 'vitest';
import { counting, planOf, type Sub, surplus, usedTrial } from './rules.ts';

const at = (day: number) => new Date(Date.UTC(2026, 10, day));
const sub = (id: string, status: string, more: Partial<Sub> = {}): Sub => ({
  id,
  status,
  price: 'price_family_yearly',
  plan: 'Friends & Family',
  amount: 15_999,
  interval: 'year',
  device_limit: 5,
  created: at(1),
  trial_end: null,
  period_end: at(28),
  ends: null,
  ended_at: null,
  invoice: null,
  ...more,
});
const nothing = { device_limit: 0, external: false, lifetime: false, register_promo_code: null };

test.each([
  ['active', true, 'active'],
  ['trialing', true, 'trialing'],
  ['past_due', true, 'past_due'],
  ['unpaid', false, 'past_due'],
  ['paused', false, 'past_due'],
  ['incomplete', false, 'past_due'],
  ['canceled', false, 'ended'],
  ['incomplete_expired', false, null],
] as const)('[3.9] what Stripe calls %s: subscribed is %s, and the status is %s', (status, subscribed, told) => {
  expect(planOf(nothing, [sub('a', status)])).toMatchObject({ subscribed, status: told, device_limit: subscribed ? 5 : 0 });
});

test.each([
  ['of two that are paid the older one', [sub('new', 'active', { created: at(2) }), sub('old', 'trialing')], 'old', ['new']],
  ['a paid one before an older one that is not', [sub('old', 'past_due'), sub('new', 'trialing', { created: at(2) })], 'new', ['old']],
  ['one that Stripe gave up on goes too', [sub('old', 'unpaid'), sub('new', 'active', { created: at(2) })], 'new', ['old']],
  ['one whose first payment is still open is left alone', [sub('a', 'active'), sub('b', 'incomplete')], 'a', []],
  ['none is cancelled for one that is not paid', [sub('a', 'unpaid'), sub('b', 'paused')], 'a', []],
  ['of those that ended the last one', [sub('a', 'canceled', { ended_at: at(9) }), sub('b', 'canceled', { ended_at: at(8) })], 'a', []],
  ['one that ended at an unknown time comes after the others', [sub('a', 'canceled'), sub('b', 'canceled', { ended_at: at(8) })], 'b', []],
  ['of two that began at the same moment the one with the lower id', [sub('b', 'active'), sub('a', 'active')], 'a', ['b']],
  ['one that never began is none', [sub('a', 'incomplete_expired')], undefined, []],
])('[P6.1] %s counts', (_what, subs, counts, gone) => {
  for (const order of [subs, subs.toReversed()]) {
    expect(counting(order)?.id).toBe(counts);
    expect(surplus(order).map(({ id }) => id)).toEqual(gone);
  }
});

test('[3.9] the plan expires with the trial, with what is paid, with the day it ends on, or it did when it ended', () => {
  const expires = (one: Sub) => planOf(nothing, [one]).expires;
  expect(expires(sub('a', 'active'))).toBe(at(28).toISOString());
  expect(expires(sub('a', 'trialing', { trial_end: at(15) }))).toBe(at(15).toISOString());
  expect(expires(sub('a', 'active', { ends: at(20) }))).toBe(at(20).toISOString());
  expect(expires(sub('a', 'canceled', { ended_at: at(9) }))).toBe(at(9).toISOString());
  expect(planOf(nothing, []).expires).toBeNull();
});

test('[9.1] whoever had a plan has had their trial; one that never began does not count', () => {
  const used = ['active', 'trialing', 'canceled', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'].filter((status) =>
    usedTrial({ status }),
  );
  expect(used).toEqual(['active', 'trialing', 'canceled', 'past_due', 'unpaid', 'paused']);
});
