import { day } from '@porchlight/contract/time.ts';
import type Stripe from 'stripe';
import type { JobHandlers } from '../../jobs/worker.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { CallStripe, Log } from './ask.ts';
import { type DoubtStore, doubtsInWords } from './doubts.ts';
import type { PlanAnnouncements } from './lifecycle.ts';
import type { SubscriptionStore } from './store.ts';
import type { Sync } from './sync.ts';

export interface NightlyDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'forgetJobs'> {
  log: Log;
  stripe: Stripe;
  ask: CallStripe;
  doubts: DoubtStore;
  store: SubscriptionStore;
  sync: Sync;
  life: PlanAnnouncements;
}

const utcHour = 8;
/** Milliseconds between two customers, to spread the load on Stripe. */
const customerSpacingMs = 100;
const pageSize = 200;
/** Payments of this age are searched for missing customers. */
const searchWindowMs = 4 * day;

export function nightAfter(moment: Date): Date {
  const tonight = new Date(moment);
  tonight.setUTCHours(utcHour, 0, 0, 0);
  return tonight > moment ? tonight : after(tonight, day);
}

/** The nightly correction of missed webhooks (P6.1), and reminders. All servers share one job, which queues the next one. */
export function nightly(deps: NightlyDeps) {
  const { db, clock, enqueue, store, sync, life: announcements } = deps;

  const queueNext = async () => {
    const night = nightAfter(clock.now());
    await enqueue(db, 'plan_night', `plan:night:${night.toISOString()}`, { night: night.toISOString() }, night);
  };

  const handlers: Pick<JobHandlers, 'plan_night' | 'plan_sync' | 'plan_ends'> = {
    plan_night: async ({ night }) => {
      // The next night is queued first, so that a failure does not end the series.
      await queueNext();
      const waiting = await deps.doubts.waiting();
      if (waiting) deps.log.error({ waiting }, doubtsInWords(waiting));
      await deps.forgetJobs('plan_sync', after(clock.now(), -2 * day));
      await findMissingCustomers(deps);
      let syncTime = clock.now();
      let customers = await store.customersAfter('', pageSize);
      while (customers.length) {
        for (const { account } of customers) {
          await enqueue(db, 'plan_sync', `plan:sync:${night}:${account}`, { account }, syncTime);
          syncTime = after(syncTime, customerSpacingMs);
        }
        customers = await store.customersAfter(customers.at(-1)?.id ?? '', pageSize);
      }
    },

    plan_sync: async ({ account }) => {
      await sync(account);
      await remind(account);
    },

    plan_ends: async ({ account }) => {
      // Stored data may be outdated, but a reminder must not depend on Stripe.
      await sync(account).catch((err: unknown) => deps.log.warn({ err }, 'a reminder is written from what we have'));
      await remind(account);
    },
  };
  const remind = (account: string) =>
    db.transaction().execute(async (trx) => announcements.remind(trx, account, await store.subs(account, trx)));

  return { queueNext, handlers };
}

/** Finds customers who paid but are missing here, such as after an older backup was restored. */
async function findMissingCustomers({ stripe, ask: callStripe, clock, store }: NightlyDeps): Promise<void> {
  const oldestEvent = Math.floor(after(clock.now(), -searchWindowMs).getTime() / 1000);
  const events = await callStripe(() =>
    stripe.events
      .list({ type: 'checkout.session.completed', created: { gte: oldestEvent }, limit: 100 })
      .autoPagingToArray({ limit: 10_000 }),
  );
  for (const event of events) {
    if (event.type !== 'checkout.session.completed') continue;
    const { client_reference_id: account, customer } = event.data.object;
    if (account && /^[0-9a-f-]{36}$/.test(account) && typeof customer === 'string') await store.setCustomer(account, customer);
  }
}
