import type { Subscription } from '@porchlight/contract/subscriptions.ts';

/** A subscription as Stripe last told it. `amount`: cents. `ends`: null while it renews. */
export interface Sub {
  id: string;
  /** Stripe's word. */
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

/** What an account has without paying. */
export interface Granted {
  device_limit: number;
  external: boolean;
  lifetime: boolean;
  register_promo_code: string | null;
}

/** Best first: of two open subscriptions the one that is paid counts, whichever came first. */
const open = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'];
const subscribed = open.slice(0, 3);
/** Never paid for and never used: it is as if it had not been. */
const neverBegan = ['incomplete', 'incomplete_expired'];

export const isOpen = (sub: Pick<Sub, 'status'>) => open.includes(sub.status);
export const isSubscribed = (sub: Sub) => subscribed.includes(sub.status);
/** Stripe cancelled it after it had begun, or gave it up. */
export const hasEnded = (sub: Sub) => !isOpen(sub) && !neverBegan.includes(sub.status);
/** There is one free trial for a person (9.1). */
export const usedTrial = (sub: { status: string }) => !neverBegan.includes(sub.status);

const rank = (sub: Sub) => {
  const place = open.indexOf(sub.status);
  return place === -1 ? open.length : place < 2 ? 0 : place;
};

/** The subscription that counts: the best open one, of equals the older one; or the last one that ended. */
export function counting(subs: readonly Sub[]): Sub | null {
  const time = (moment: Date | null) => moment?.getTime() ?? 0;
  const alive = subs.filter(isOpen).toSorted((a, b) => rank(a) - rank(b) || time(a.created) - time(b.created) || (a.id < b.id ? -1 : 1));
  const over = subs.filter(hasEnded).toSorted((a, b) => time(b.ended_at) - time(a.ended_at));
  return alive[0] ?? over[0] ?? null;
}

/** Those that must go because another one counts. One whose first payment was never made ends by itself. */
export function surplus(subs: readonly Sub[]): Sub[] {
  const one = counting(subs);
  return one && isSubscribed(one) ? subs.filter((sub) => sub !== one && isOpen(sub) && sub.status !== 'incomplete') : [];
}

/** When it stops being what it is now: the trial that ends, or the plan that is not paid again; null while it simply renews. */
export function endsAt(sub: Sub): Date | null {
  return sub.ends ?? (sub.status === 'trialing' ? sub.trial_end : null);
}

/** The plan of an account (3.9). What was granted is never made smaller by what is paid for. */
export function planOf(granted: Granted, subs: readonly Sub[]): Subscription {
  const { register_promo_code: code, ...free } = granted;
  const sub = counting(subs);
  const paid = sub !== null && isSubscribed(sub);
  return {
    ...free,
    subscribed: paid,
    device_limit: Math.max(free.device_limit, paid ? sub.device_limit : 0),
    expires: sub === null ? null : expiryOf(sub).toISOString(),
    register_promo_code: code === null ? null : { code },
    status: sub === null ? null : statusOf(sub),
    renews: paid && sub.ends === null,
    price: sub?.price ?? null,
    plan: sub?.plan ?? null,
    amount: sub?.amount ?? null,
    interval: sub?.interval ?? null,
  };
}

function expiryOf(sub: Sub): Date {
  if (hasEnded(sub)) return sub.ended_at ?? sub.period_end;
  return endsAt(sub) ?? sub.period_end;
}

function statusOf(sub: Sub): Subscription['status'] {
  if (sub.status === 'trialing' || sub.status === 'active') return sub.status;
  // Open and not paid for, whatever Stripe calls it: what helps is the portal.
  return isOpen(sub) ? 'past_due' : 'ended';
}
