import { isValid, type Plan } from '../lib/plan.ts';

/** Who may see a route (the table in section 2 of the specification). */
export interface RouteRule {
  /** `guest`: only while logged out. `login`: only while logged in. `open`: anyone. */
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

/** The route guard, in the order of 2.23 to 2.26; the steps of adding a device keep 2.27 themselves. It is asked again when what it wanted is loaded. */
export function guard(rule: RouteRule, known: Known): Decision {
  if (rule.access === 'open') return { enter: true };
  if (rule.access === 'guest') return known.authenticated ? { go: 'home' } : { enter: true };
  if (!known.authenticated) return { go: 'login' };
  if (!rule.allows_unverified && known.email_check) {
    if (!known.profile) return { load: 'profile' };
    if (!known.profile.email_verified) return { go: 'verify-email' };
  }
  if (!rule.allows_unsubscribed) {
    if (!known.subscription) return { load: 'subscription' };
    if (!isValid(known.subscription)) return { go: 'subscribe' };
  }
  return { enter: true };
}
