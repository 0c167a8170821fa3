import { isValid, type Plan } from '../lib/plan.ts';

/** The route table in section 2 of the specification. */
export interface RouteRule {
  access: 'guest' | 'login' | 'open';
  allows_unverified?: boolean;
  allows_unsubscribed?: boolean;
}

export interface Known {
  authenticated: boolean;
  email_check: boolean;
  profile: { email_verified: boolean } | undefined;
  subscription: Plan | undefined;
}

export type Decision = { enter: true } | { load: 'profile' | 'subscription' } | { go: 'login' | 'home' | 'verify-email' | 'subscribe' };

/**
 * The route guard, in the order of 2.23 to 2.26; the steps of adding a device check 2.27 themselves. It runs again once missing data is
 * loaded.
 */
export function guard(rule: RouteRule, knownState: Known): Decision {
  if (rule.access === 'open') return { enter: true };
  if (rule.access === 'guest') return knownState.authenticated ? { go: 'home' } : { enter: true };
  if (!knownState.authenticated) return { go: 'login' };
  if (!rule.allows_unverified && knownState.email_check) {
    if (!knownState.profile) return { load: 'profile' };
    if (!knownState.profile.email_verified) return { go: 'verify-email' };
  }
  if (!rule.allows_unsubscribed) {
    if (!knownState.subscription) return { load: 'subscription' };
    if (!isValid(knownState.subscription)) return { go: 'subscribe' };
  }
  return { enter: true };
}
