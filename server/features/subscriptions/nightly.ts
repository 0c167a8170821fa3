import type Stripe from 'stripe';
import type { Db } from '../../db/open.ts';
import type { Enqueue, ForgetJobs } from '../../jobs/queue.ts';
import type { JobHandlers } from '../../jobs/worker.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Ask, Log } from './ask.ts';
import { type DoubtStore, doubtsInWords } from './doubts.ts';
import type { Life } from './lifecycle.ts';
import type { SubscriptionStore } from './store.ts';
import type { Sync } from './sync.ts';

export interface NightlyDeps {
  db: Db;
  clock: Clock;
  log: Log;
  enqueue: Enqueue;
  stripe: Stripe;
  ask: Ask;
  doubts: DoubtStore;
  store: SubscriptionStore;
  sync: Sync;
  life: Life;
  forgetJobs: ForgetJobs;
}

const day = 86_400_000;
/** In UTC: night where most of the people are. */
const hour = 8;
/** Between the questions about two customers, in milliseconds: Stripe is not to notice that it is night. */
const spread = 100;
const page = 200;
/** How far back lost customers are looked for; an event is kept a little longer than Stripe sends it again. */
const look_back = 4 * day;
const keep_events = 40 * day;

/** The next night after a moment. */
export function nightAfter(moment: Date): Date {
  const tonight = new Date(moment);
  tonight.setUTCHours(hour, 0, 0, 0);
  return tonight > moment ? tonight : after(tonight, day);
}

/** What puts right what no webhook told (P6.1), and the reminders. One job a night, however many servers there are; it queues the next one. */
export function nightly(deps: NightlyDeps) {
  const { db, clock, enqueue, store, sync, life } = deps;

  const queueNext = async () => {
    const night = nightAfter(clock.now());
    await enqueue(db, 'plan_night', `plan:night:${night.toISOString()}`, { night: night.toISOString() }, night);
  };

  const handlers: Pick<JobHandlers, 'plan_night' | 'plan_sync' | 'plan_ends'> = {
    plan_night: async ({ night }) => {
      // First of all, so that a night that fails is not the last one.
      await queueNext();
      const waiting = await deps.doubts.waiting();
      if (waiting) deps.log.error({ waiting }, doubtsInWords(waiting));
      await deps.forgetJobs('plan_sync', after(clock.now(), -2 * day));
      await store.forgetEvents(after(clock.now(), -keep_events));
      await findLost(deps);
      let when = clock.now();
      let customers = await store.customersAfter('', page);
      while (customers.length) {
        for (const { account } of customers) {
          await enqueue(db, 'plan_sync', `plan:sync:${night}:${account}`, { account }, when);
          when = after(when, spread);
        }
        customers = await store.customersAfter(customers.at(-1)?.id ?? '', page);
      }
    },

    plan_sync: async ({ account }) => {
      await sync(account);
      await remind(account);
    },

    plan_ends: async ({ account }) => {
      // What we have may be late; but whoever is to hear of an end hears of it also while Stripe does not answer.
      await sync(account).catch((err: unknown) => deps.log.warn({ err }, 'a reminder is written from what we have'));
      await remind(account);
    },
  };
  const remind = (account: string) => db.transaction().execute(async (trx) => life.remind(trx, account, await store.subs(account, trx)));

  return { queueNext, handlers };
}

/** Someone paid, and we do not know that the account is a customer: a backup from before that day was put back. */
async function findLost({ stripe, ask, clock, store }: NightlyDeps): Promise<void> {
  const gte = Math.floor(after(clock.now(), -look_back).getTime() / 1000);
  const events = await ask(() =>
    stripe.events.list({ type: 'checkout.session.completed', created: { gte }, limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  for (const event of events) {
    if (event.type !== 'checkout.session.completed') continue;
    const { client_reference_id: account, customer } = event.data.object;
    if (account && /^[0-9a-f-]{36}$/.test(account) && typeof customer === 'string') await store.setCustomer(account, customer);
  }
}
