import { expect, test } from 'vitest';
import { currentSubscription, duplicates, planOf, type StripeSubscription, usedTrial } from './rules.ts';

const dateOf = (day: number) => new Date(Date.UTC(2026, 10, day));
const sub = (id: string, status: string, overrides: Partial<StripeSubscription> = {}): StripeSubscription => ({
  id,
  status,
  price: 'price_family_yearly',
  plan: 'Friends & Family',
  amount: 15_999,
  interval: 'year',
  device_limit: 5,
  created: dateOf(1),
  trial_end: null,
  period_end: dateOf(28),
  ends: null,
  ended_at: null,
  invoice: null,
  ...overrides,
});
const noGrants = { device_limit: 0, external: false, lifetime: false, register_promo_code: null };

test.each([
  ['active', true, 'active'],
  ['trialing', true, 'trialing'],
  ['past_due', true, 'past_due'],
  ['unpaid', false, 'past_due'],
  ['paused', false, 'past_due'],
  ['incomplete', false, 'past_due'],
  ['canceled', false, 'ended'],
  ['incomplete_expired', false, null],
] as const)("[3.9] for the Stripe status %s subscribed is %s, and the plan's status is %s", (status, subscribed, planStatus) => {
  expect(planOf(noGrants, [sub('a', status)])).toMatchObject({ subscribed, status: planStatus, device_limit: subscribed ? 5 : 0 });
});

test.each([
  ['of two that are paid the older one', [sub('new', 'active', { created: dateOf(2) }), sub('old', 'trialing')], 'old', ['new']],
  ['a paid one before an older one that is not', [sub('old', 'past_due'), sub('new', 'trialing', { created: dateOf(2) })], 'new', ['old']],
  ['one that Stripe gave up on goes too', [sub('old', 'unpaid'), sub('new', 'active', { created: dateOf(2) })], 'new', ['old']],
  ['one whose first payment is still open is left alone', [sub('a', 'active'), sub('b', 'incomplete')], 'a', []],
  ['none is cancelled for one that is not paid', [sub('a', 'unpaid'), sub('b', 'paused')], 'a', []],
  [
    'of those that ended the last one',
    [sub('a', 'canceled', { ended_at: dateOf(9) }), sub('b', 'canceled', { ended_at: dateOf(8) })],
    'a',
    [],
  ],
  [
    'one that ended at an unknown time comes after the others',
    [sub('a', 'canceled'), sub('b', 'canceled', { ended_at: dateOf(8) })],
    'b',
    [],
  ],
  ['of two that began at the same moment the one with the lower id', [sub('b', 'active'), sub('a', 'active')], 'a', ['b']],
  ['one that never began is none', [sub('a', 'incomplete_expired')], undefined, []],
])('[P6.1] the subscription that counts: %s', (_what, subs, expectedId, duplicateIds) => {
  for (const permutations of [subs, subs.toReversed()]) {
    expect(currentSubscription(permutations)?.id).toBe(expectedId);
    expect(duplicates(permutations).map(({ id }) => id)).toEqual(duplicateIds);
  }
});

test('[3.9] a plan expires with its trial, paid period or chosen end, or when it ended', () => {
  const expires = (subscription: StripeSubscription) => planOf(noGrants, [subscription]).expires;
  expect(expires(sub('a', 'active'))).toBe(dateOf(28).toISOString());
  expect(expires(sub('a', 'trialing', { trial_end: dateOf(15) }))).toBe(dateOf(15).toISOString());
  expect(expires(sub('a', 'active', { ends: dateOf(20) }))).toBe(dateOf(20).toISOString());
  expect(expires(sub('a', 'canceled', { ended_at: dateOf(9) }))).toBe(dateOf(9).toISOString());
  expect(expires(sub('a', 'canceled'))).toBe(dateOf(28).toISOString());
  expect(expires(sub('a', 'trialing'))).toBe(dateOf(28).toISOString());
  expect(planOf(noGrants, []).expires).toBeNull();
});

test('[3.9] an account without a subscription has nothing of a plan, and an unpaid or ended plan does not renew', () => {
  const nothing = { subscribed: false, expires: null, status: null, renews: false, price: null, plan: null, amount: null, interval: null };
  expect(planOf(noGrants, [])).toEqual({ device_limit: 0, external: false, lifetime: false, register_promo_code: null, ...nothing });
  const renews = (status: string, ends: Date | null = null) => planOf(noGrants, [sub('a', status, { ends })]).renews;
  expect([renews('active'), renews('active', dateOf(20)), renews('unpaid'), renews('canceled')]).toEqual([true, false, false, false]);
  const granted = { ...noGrants, device_limit: 7, register_promo_code: 'BANK' };
  expect(planOf(granted, [sub('a', 'active')])).toMatchObject({ device_limit: 7, register_promo_code: { code: 'BANK' } });
});

test('[9.1] any subscription that began uses up the trial', () => {
  const usedStatuses = ['active', 'trialing', 'canceled', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'].filter(
    (status) => usedTrial({ status }),
  );
  expect(usedStatuses).toEqual(['active', 'trialing', 'canceled', 'past_due', 'unpaid', 'paused']);
});
