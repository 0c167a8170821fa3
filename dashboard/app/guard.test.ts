import { describe, expect, test } from 'vitest';
import { guard, type Known, type RouteRule } from './guard.ts';

const plan = { subscribed: true, external: false, lifetime: false, device_limit: 5 };
const knownState: Known = {
  authenticated: true,
  email_check: true,
  profile: { email_verified: true },
  subscription: plan,
};
const login: RouteRule = { access: 'login' };
const noPlan = { ...plan, subscribed: false, device_limit: 0 };

describe('the route guard', () => {
  test.each<[string, RouteRule, Partial<Known>, object]>([
    ['[2.23] a protected route without login goes to login', login, { authenticated: false }, { go: 'login' }],
    ['[2.23] login comes before all else', login, { authenticated: false, profile: undefined, subscription: noPlan }, { go: 'login' }],
    ['[2.24] the profile is loaded first', login, { profile: undefined, subscription: undefined }, { load: 'profile' }],
    ['[2.24] an unverified email goes to verify-email', login, { profile: { email_verified: false } }, { go: 'verify-email' }],
    [
      '[2.24] not where unverified is allowed',
      { access: 'login', allows_unverified: true },
      { profile: { email_verified: false } },
      { enter: true },
    ],
    ['[2.24] not when the check is off', login, { email_check: false, profile: undefined }, { enter: true }],
    ['[2.25] the subscription is loaded', login, { subscription: undefined }, { load: 'subscription' }],
    ['[2.25] no valid plan goes to subscribe', login, { subscription: noPlan }, { go: 'subscribe' }],
    [
      '[2.25] not where unsubscribed is allowed',
      { access: 'login', allows_unsubscribed: true },
      { subscription: undefined },
      { enter: true },
    ],
    [
      '[2.25] an unverified email comes before a missing plan',
      login,
      { profile: { email_verified: false }, subscription: noPlan },
      { go: 'verify-email' },
    ],
    ['a complimentary plan is valid', login, { subscription: { ...noPlan, device_limit: 1 } }, { enter: true }],
    ['an external plan is valid', login, { subscription: { ...noPlan, external: true } }, { enter: true }],
    ['a lifetime plan is valid', login, { subscription: { ...noPlan, lifetime: true } }, { enter: true }],
    ['[2.26] a guest route while logged in goes to the dashboard', { access: 'guest' }, {}, { go: 'home' }],
    ['[2.26] a guest route while logged out is entered', { access: 'guest' }, { authenticated: false }, { enter: true }],
    ['an open route is entered by anyone', { access: 'open' }, { authenticated: false, profile: undefined }, { enter: true }],
  ])('the route guard decides: %s', (_title, rule, stateChanges, decision) => {
    expect(guard(rule, { ...knownState, ...stateChanges })).toEqual(decision);
  });
});
