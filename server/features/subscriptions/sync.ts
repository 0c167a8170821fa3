import { isValid } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Db } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { type CallStripe, isRejection, type Log } from './ask.ts';
import type { CheckoutStore } from './checkout-store.ts';
import { type DoubtStore, doubtsInWords } from './doubts.ts';
import { subFrom } from './from-stripe.ts';
import type { PlanAnnouncements } from './lifecycle.ts';
import type { Standing } from './payment-account.ts';
import type { Products } from './products.ts';
import { duplicates, isOpen, isSubscribed, type StripeSubscription } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface SyncDeps extends Pick<Kernel, 'events'> {
  db: Db;
  log: Log;
  stripe: Stripe;
  ask: CallStripe;
  standing(): Promise<Standing>;
  doubts: DoubtStore;
  store: SubscriptionStore;
  checkouts: CheckoutStore;
  products: Products;
  life: PlanAnnouncements;
}

/** Returns an account's subscriptions from Stripe, or the stored ones if Stripe's answer is not believed. */
export type Sync = (account: string, options?: Stripe.RequestOptions) => Promise<StripeSubscription[]>;

/**
 * Stores Stripe's current state of an account (P6.1); nothing else writes it. Calls may come late, repeatedly and in any order: numbers
 * keep an outdated answer from replacing a newer one.
 */
export function planSync(deps: SyncDeps): Sync {
  const { db, store, checkouts, life: announcements } = deps;

  const storeSubs = (account: string, questionNumber: number, subs: StripeSubscription[]) =>
    db.transaction().execute(async (trx) => {
      if (!(await store.lockForAnswer(trx, account, questionNumber))) return;
      const hadPlan = isValid(await store.of(account, trx));
      await store.write(trx, account, subs);
      if (isValid(await store.of(account, trx)) !== hadPlan) await deps.events.emit(trx, 'policy_changed', { account, device: null });
      if (subs.some(isSubscribed)) await checkouts.allDone(trx, account);
      await announcements.announce(trx, account, subs);
    });

  const fetchAndStore = async (account: string, options?: Stripe.RequestOptions): Promise<StripeSubscription[]> => {
    const questionNumber = await store.nextQuestion(account);
    if (!questionNumber) return [];
    const answer = await fetchSubs(deps, questionNumber.id, options);
    const storedSubs = await store.subs(account);
    const unexplained = !answer.removed && storedSubs.some((sub) => isOpen(sub) && !answer.ids.includes(sub.id));
    if (unexplained && !(await isBelieved(deps, account))) return storedSubs;
    if (!unexplained) await deps.doubts.clear(account);
    // Ended subscriptions that Stripe does not know any longer still count.
    if (answer.unknown && !unexplained) return storedSubs;
    await storeSubs(account, questionNumber.asked, answer.subs);
    return answer.subs;
  };

  return async (account, options) => {
    const subs = await fetchAndStore(account, options);
    const duplicateSubs = duplicates(subs);
    if (duplicateSubs.length === 0) return subs;
    for (const sub of duplicateSubs) await cancel(deps, sub);
    return fetchAndStore(account, options);
  };
}

/**
 * Whether a plan that Stripe does not know is over. A single missing plan is over after a day; many missing plans need the operator's
 * confirmation, because the cause may be an error (P14.2).
 */
async function isBelieved({ doubts, standing, log }: SyncDeps, account: string): Promise<boolean> {
  const doubt = await doubts.note(account);
  if (doubt.isNew) {
    const waiting = await doubts.waiting();
    log.error({ waiting }, doubtsInWords(waiting));
  }
  if (!doubt.believed && (await standing()) !== 'ours') return false;
  if (!(await doubts.isBelievable(doubt))) return false;
  await doubts.clear(account);
  return true;
}

/** `ids`: the ids of all subscriptions, even of those without a price. */
interface Answer {
  subs: StripeSubscription[];
  ids: string[];
  removed: boolean;
  unknown: boolean;
}

async function fetchSubs(
  { stripe, ask: callStripe, products }: SyncDeps,
  customer: string,
  options?: Stripe.RequestOptions,
): Promise<Answer> {
  const remote = await callStripe(() =>
    stripe.subscriptions
      .list({ customer, status: 'all', limit: 100 }, options)
      .autoPagingToArray({ limit: 1000 })
      .catch((err: unknown) => {
        if (isRejection(err, 'customer')) return null;
        throw err;
      }),
  );
  if (!remote) {
    const customerRemoved = await wasRemoved(stripe, callStripe, customer, options);
    return { subs: [], ids: [], removed: customerRemoved, unknown: !customerRemoved };
  }
  const subs: StripeSubscription[] = [];
  for (const remoteSub of remote) {
    const price = remoteSub.items.data[0]?.price.id;
    const sub = price === undefined ? null : subFrom(remoteSub, await products.nameOf(price, options));
    if (sub) subs.push(sub);
  }
  return { subs, ids: remote.map(({ id }) => id), removed: false, unknown: false };
}

/** Whether the customer was removed. Stripe remembers removed customers; other unknown customers never existed in this account. */
function wasRemoved(stripe: Stripe, callStripe: CallStripe, customer: string, options?: Stripe.RequestOptions): Promise<boolean> {
  return callStripe(() =>
    stripe.customers.retrieve(customer, {}, options).then(
      (found) => found.deleted === true,
      (err: unknown) => {
        if (isRejection(err)) return false;
        throw err;
      },
    ),
  );
}

/**
 * Cancels a duplicate, such as one ordered in another window. The unused time is credited to the next invoice; refunds are left to support.
 */
async function cancel({ stripe, ask: callStripe }: SyncDeps, sub: StripeSubscription): Promise<void> {
  const credit = sub.status === 'active' ? { prorate: true, invoice_now: true } : {};
  await callStripe(() =>
    stripe.subscriptions.cancel(sub.id, credit).catch((err: unknown) => {
      if (!isRejection(err)) throw err;
    }),
  );
}
