import type { Subscription } from '@porchlight/contract/subscriptions.ts';
import { expect, test } from 'vitest';
import { planMessages } from './plan-messages.ts';

const noPlan: Subscription = {
  subscribed: false,
  device_limit: 0,
  expires: null,
  external: false,
  lifetime: false,
  register_promo_code: null,
  status: null,
};
const active: Subscription = {
  ...noPlan,
  subscribed: true,
  device_limit: 5,
  status: 'active',
  renews: true,
  expires: new Date(2027, 10, 20, 12).toISOString(),
};
const freePlan = 'The free plan’s protection stays on.';

test.each<[string, Subscription, string, boolean]>([
  ['one that renews', active, 'Renews on 11/20/2027.', false],
  ['one of which no more is known', { ...active, status: undefined, renews: undefined }, 'Renews on 11/20/2027.', false],
  ['one that will not renew', { ...active, renews: false }, `Your plan ends on 11/20/2027 and will not renew. ${freePlan}`, true],
  ['a trial', { ...active, status: 'trialing' }, 'Your free trial ends on 11/20/2027.', false],
  [
    'a trial that was stopped',
    { ...active, status: 'trialing', renews: false },
    `Your free trial ends on 11/20/2027, and nothing will be charged. ${freePlan}`,
    true,
  ],
  [
    'a payment that failed',
    { ...active, status: 'past_due' },
    'Your last payment did not go through. You are still protected. Press Manage Plan and check your card.',
    true,
  ],
  [
    'one that was given up as unpaid',
    { ...active, subscribed: false, device_limit: 0, status: 'past_due' },
    `Your last payment did not go through, so your plan is on hold. ${freePlan} Press Manage Plan and check your card.`,
    true,
  ],
  [
    'one that someone else manages',
    { ...active, external: true },
    'Your plan is managed externally. To change it, contact support.',
    false,
  ],
  ['one for life', { ...noPlan, lifetime: true }, 'Your plan is for life. There is nothing to pay.', false],
  ['one for life, paid besides', { ...active, lifetime: true }, 'Renews on 11/20/2027.', false],
  ['a gift', { ...noPlan, device_limit: 5 }, 'Complimentary access: free of charge. We keep a light on for you.', false],
  [
    'one that has ended',
    { ...active, subscribed: false, device_limit: 0, status: 'ended' },
    `Your plan ended on 11/20/2027. ${freePlan}`,
    true,
  ],
  ['none', noPlan, 'You have no plan.', false],
])('the message about the state of a plan: %s', (_title, plan, text, needsAttention) => {
  expect(planMessages(plan)).toEqual({ words: text, needsAttention });
});
