import { isValid } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Db, Trx } from '../../db/open.ts';
import { type Ask, type Log, refused } from './ask.ts';
import type { CheckoutStore } from './checkout-store.ts';
import { type DoubtStore, doubtsInWords } from './doubts.ts';
import { subFrom } from './from-stripe.ts';
import type { Life } from './lifecycle.ts';
import type { Standing } from './payment-account.ts';
import type { Products } from './products.ts';
import { isOpen, isSubscribed, type Sub, surplus } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface SyncDeps {
  db: Db;
  log: Log;
  stripe: Stripe;
  ask: Ask;
  standing(): Promise<Standing>;
  doubts: DoubtStore;
  store: SubscriptionStore;
  checkouts: CheckoutStore;
  products: Products;
  life: Life;
  /** What the devices of an account may do changed. */
  policiesChange(trx: Trx, account: string): Promise<void>;
}

/** Answers what Stripe says now about an account; where that is not believed, what it said last. */
export type Sync = (account: string, options?: Stripe.RequestOptions) => Promise<Sub[]>;

/**
 * The one place where what Stripe says becomes ours (P6.1), whatever stood there before. It does not look at what happened but at what is, so it may
 * come twice, late and in any order. The question is asked outside of any transaction; its number keeps an older answer from replacing a newer one.
 */
export function planSync(deps: SyncDeps): Sync {
  const { db, store, checkouts, life } = deps;

  const write = (account: string, question: number, subs: Sub[]) =>
    db.transaction().execute(async (trx) => {
      if (!(await store.lockForAnswer(trx, account, question))) return;
      const before = isValid(await store.of(account, trx));
      await store.write(trx, account, subs);
      if (isValid(await store.of(account, trx)) !== before) await deps.policiesChange(trx, account);
      if (subs.some(isSubscribed)) await checkouts.allDone(trx, account);
      await life.tell(trx, account, subs);
    });

  const look = async (account: string, options?: Stripe.RequestOptions): Promise<Sub[]> => {
    const asked = await store.ask(account);
    if (!asked) return [];
    const answer = await fetchSubs(deps, asked.id, options);
    const known = await store.subs(account);
    const unexplained = !answer.removed && known.some((sub) => isOpen(sub) && !answer.ids.includes(sub.id));
    if (unexplained && !(await isBelieved(deps, account))) return known;
    if (!unexplained) await deps.doubts.clear(account);
    // Nobody says what became of those that had ended: that they were there still counts.
    if (answer.unknown && !unexplained) return known;
    await write(account, asked.asked, answer.subs);
    return answer.subs;
  };

  return async (account, options) => {
    const subs = await look(account, options);
    const extra = surplus(subs);
    if (extra.length === 0) return subs;
    for (const sub of extra) await cancel(deps, sub);
    return look(account, options);
  };
}

/**
 * Whether a plan that runs here, and of which Stripe says nothing any more, is over. One is, when it is so the next night too; many at once are not,
 * until the operator says so: whoever pays is not to lose the plan by somebody's slip (P14.2).
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

/** What Stripe says of a customer. `ids`: of all subscriptions, also of those that are none of ours. */
interface Answer {
  subs: Sub[];
  ids: string[];
  /** Stripe says that this customer was removed there, and so every subscription of theirs. */
  removed: boolean;
  /** Stripe does not know this customer. */
  unknown: boolean;
}

async function fetchSubs({ stripe, ask, products }: SyncDeps, customer: string, options?: Stripe.RequestOptions): Promise<Answer> {
  const remote = await ask(() =>
    stripe.subscriptions
      .list({ customer, status: 'all', limit: 100 }, options)
      .autoPagingToArray({ limit: 1000 })
      .catch((err: unknown) => {
        if (refused(err, 'customer')) return null;
        throw err;
      }),
  );
  if (!remote) {
    const removed = await wasRemoved(stripe, ask, customer, options);
    return { subs: [], ids: [], removed, unknown: !removed };
  }
  const subs: Sub[] = [];
  for (const one of remote) {
    const price = one.items.data[0]?.price.id;
    const sub = price === undefined ? null : subFrom(one, await products.nameOf(price, options));
    if (sub) subs.push(sub);
  }
  return { subs, ids: remote.map(({ id }) => id), removed: false, unknown: false };
}

/** Stripe remembers whom it removed; whom it never knew is a customer of another account. */
function wasRemoved(stripe: Stripe, ask: Ask, customer: string, options?: Stripe.RequestOptions): Promise<boolean> {
  return ask(() =>
    stripe.customers.retrieve(customer, {}, options).then(
      (found) => found.deleted === true,
      (err: unknown) => {
        if (refused(err)) return false;
        throw err;
      },
    ),
  );
}

/**
 * Two were paid for, in two windows at once: one goes, and nobody pays twice. A trial was never charged. What was charged for the unused time is put to
 * the person's credit, and the next bill of the one that stays is paid from it first. We do not send money back to the card by ourselves: support can.
 */
async function cancel({ stripe, ask }: SyncDeps, sub: Sub): Promise<void> {
  const credit = sub.status === 'active' ? { prorate: true, invoice_now: true } : {};
  await ask(() =>
    stripe.subscriptions.cancel(sub.id, credit).catch((err: unknown) => {
      // It is gone already: someone else was faster.
      if (!refused(err)) throw err;
    }),
  );
}
