import { isValid } from '@porchlight/contract/subscriptions.ts';
import type Stripe from 'stripe';
import type { Db, Trx } from '../../db/open.ts';
import { type Ask, refused } from './ask.ts';
import type { CheckoutStore } from './checkout-store.ts';
import { subFrom } from './from-stripe.ts';
import type { Life } from './life.ts';
import type { Products } from './products.ts';
import { isSubscribed, type Sub, surplus } from './rules.ts';
import type { SubscriptionStore } from './store.ts';

export interface SyncParts {
  db: Db;
  stripe: Stripe;
  ask: Ask;
  store: SubscriptionStore;
  checkouts: CheckoutStore;
  products: Products;
  life: Life;
  /** What the devices of an account may do changed. */
  policiesChange(trx: Trx, account: string): Promise<void>;
}

/** Answers what Stripe says now about an account. */
export type Sync = (account: string, options?: Stripe.RequestOptions) => Promise<Sub[]>;

/**
 * The one place where what Stripe says becomes ours (P6.1), whatever stood there before. It does not look at what happened but at what is, so it may
 * come twice, late and in any order. The question is asked outside of any transaction; its number keeps an older answer from replacing a newer one.
 */
export function planSync(parts: SyncParts): Sync {
  const { db, store, checkouts, life } = parts;

  const write = (account: string, question: number, subs: Sub[]) =>
    db.transaction().execute(async (trx) => {
      if (!(await store.lockForAnswer(trx, account, question))) return;
      const before = isValid(await store.of(account, trx));
      await store.write(trx, account, subs);
      if (isValid(await store.of(account, trx)) !== before) await parts.policiesChange(trx, account);
      if (subs.some(isSubscribed)) await checkouts.allDone(trx, account);
      await life.tell(trx, account, subs);
    });

  return async (account, options) => {
    const asked = await store.ask(account);
    if (!asked) return [];
    const subs = await fetchSubs(parts, asked.id, options);
    await write(account, asked.asked, subs);
    const extra = surplus(subs);
    if (extra.length === 0) return subs;
    for (const sub of extra) await cancel(parts, sub);
    const again = await store.ask(account);
    if (!again) return [];
    const left = await fetchSubs(parts, again.id, options);
    await write(account, again.asked, left);
    return left;
  };
}

async function fetchSubs({ stripe, ask, products }: SyncParts, customer: string, options?: Stripe.RequestOptions): Promise<Sub[]> {
  const remote = await ask(() =>
    stripe.subscriptions
      .list({ customer, status: 'all', limit: 100 }, options)
      .autoPagingToArray({ limit: 1000 })
      .catch((err: unknown) => {
        // Someone removed the customer there, and so every subscription of theirs.
        if (refused(err, 'customer')) return [];
        throw err;
      }),
  );
  const subs: Sub[] = [];
  for (const one of remote) {
    const price = one.items.data[0]?.price.id;
    const sub = price === undefined ? null : subFrom(one, await products.nameOf(price, options));
    if (sub) subs.push(sub);
  }
  return subs;
}

/**
 * Two were paid for, in two windows at once: one goes, and nobody pays twice. A trial was never charged. What was charged for the unused time is put to
 * the person's credit, and the next bill of the one that stays is paid from it first. We do not send money back to the card by ourselves: support can.
 */
async function cancel({ stripe, ask }: SyncParts, sub: Sub): Promise<void> {
  const credit = sub.status === 'active' ? { prorate: true, invoice_now: true } : {};
  await ask(() =>
    stripe.subscriptions.cancel(sub.id, credit).catch((err: unknown) => {
      // It is gone already: someone else was faster.
      if (!refused(err)) throw err;
    }),
  );
}
