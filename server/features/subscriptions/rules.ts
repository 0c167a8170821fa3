import type { Subscription } from '@porchlight/contract/subscriptions.ts';

/** A subscription. `amount`: in cents. `ends`: null while the plan renews. */
export interface StripeSubscription {
  id: string;
  /** Stripe's status. */
  status: string;
  price: string;
  plan: string;
  amount: number;
  interval: 'month' | 'year';
  device_limit: number;
  created: Date;
  trial_end: Date | null;
  period_end: Date;
  ends: Date | null;
  ended_at: Date | null;
  invoice: string | null;
}

/** Benefits that an account has without paying. */
export interface Granted {
  device_limit: number;
  external: boolean;
  lifetime: boolean;
  register_promo_code: string | null;
}

/** Statuses of open subscriptions, best first. */
const openStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'];
const subscribed = openStatuses.slice(0, 3);
/** Statuses of subscriptions that were never paid or used. */
const neverBegan = ['incomplete', 'incomplete_expired'];

export const isOpen = (sub: Pick<StripeSubscription, 'status'>) => openStatuses.includes(sub.status);
export const isSubscribed = (sub: StripeSubscription) => subscribed.includes(sub.status);
/** Whether a subscription ended after it had begun. */
export const hasEnded = (sub: StripeSubscription) => !isOpen(sub) && !neverBegan.includes(sub.status);
/** Whether a subscription used up the holder's free trial (9.1). */
export const usedTrial = (sub: { status: string }) => !neverBegan.includes(sub.status);

const rank = (sub: StripeSubscription) => {
  const position = openStatuses.indexOf(sub.status);
  return position === -1 ? openStatuses.length : position < 2 ? 0 : position;
};

/** The best open subscription, among equals the oldest; without open ones the last that ended. */
export function currentSubscription(subs: readonly StripeSubscription[]): StripeSubscription | null {
  const time = (moment: Date | null) => moment?.getTime() ?? 0;
  const openSubs = subs.filter(isOpen).toSorted((a, b) => rank(a) - rank(b) || time(a.created) - time(b.created) || (a.id < b.id ? -1 : 1));
  const endedSubs = subs.filter(hasEnded).toSorted((a, b) => time(b.ended_at) - time(a.ended_at));
  return openSubs[0] ?? endedSubs[0] ?? null;
}

/** Duplicate subscriptions to cancel. Incomplete subscriptions expire by themselves. */
export function duplicates(subs: readonly StripeSubscription[]): StripeSubscription[] {
  const current = currentSubscription(subs);
  return current && isSubscribed(current) ? subs.filter((sub) => sub !== current && isOpen(sub) && sub.status !== 'incomplete') : [];
}

/** The end of the trial or plan; null while the plan renews. */
export function endsAt(sub: StripeSubscription): Date | null {
  return sub.ends ?? (sub.status === 'trialing' ? sub.trial_end : null);
}

/** The plan of an account (3.9); a purchase never reduces a grant. */
export function planOf(granted: Granted, subs: readonly StripeSubscription[]): Subscription {
  const { register_promo_code: code, ...free } = granted;
  const sub = currentSubscription(subs);
  const isPaid = sub !== null && isSubscribed(sub);
  return {
    ...free,
    subscribed: isPaid,
    device_limit: Math.max(free.device_limit, isPaid ? sub.device_limit : 0),
    expires: sub === null ? null : expiryOf(sub).toISOString(),
    register_promo_code: code === null ? null : { code },
    status: sub === null ? null : statusOf(sub),
    renews: isPaid && sub.ends === null,
    price: sub?.price ?? null,
    plan: sub?.plan ?? null,
    amount: sub?.amount ?? null,
    interval: sub?.interval ?? null,
  };
}

function expiryOf(sub: StripeSubscription): Date {
  if (hasEnded(sub)) return sub.ended_at ?? sub.period_end;
  return endsAt(sub) ?? sub.period_end;
}

function statusOf(sub: StripeSubscription): Subscription['status'] {
  if (sub.status === 'trialing' || sub.status === 'active') return sub.status;
  // The user can resolve every other open status in the portal.
  return isOpen(sub) ? 'past_due' : 'ended';
}
