import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { endedEmail, endsEmail, paymentFailedEmail, trialEndsEmail } from './emails.ts';
import { counting, endsAt, hasEnded, isSubscribed, type Sub } from './rules.ts';

export interface LifeDeps {
  clock: Clock;
  enqueue: Enqueue;
  dashboard_url: string;
  personOf(account: string, trx: Trx): Promise<{ name: string; email: string }>;
}

export type Life = ReturnType<typeof planLife>;

/** An end that is longer ago is no news: nobody needs a letter about it when an old account is looked at again. In milliseconds. */
const news = 14 * 86_400_000;

/** The letters about a plan. Each is made of what is now, not of what happened, and its key lets it go out once, whatever comes twice. */
export function planLife({ clock, enqueue, dashboard_url, personOf }: LifeDeps) {
  const url = `${dashboard_url}/`;
  const soon = (sub: Sub, ends: Date) => `plan:${sub.id}:ends:${ends.toISOString()}`;

  return {
    /** Queues what follows from what Stripe says now. */
    async tell(trx: Trx, account: string, subs: readonly Sub[]): Promise<void> {
      const sub = counting(subs);
      if (!sub) return;
      const now = clock.now();
      if (isSubscribed(sub)) {
        const ends = endsAt(sub);
        if (ends && ends > now) {
          await enqueue(trx, 'plan_ends', soon(sub, ends), { account }, after(ends, -serverLimits.plan_ends_notice));
        }
      }
      if (sub.status === 'past_due') {
        const person = await personOf(account, trx);
        const key = `plan:${sub.id}:failed:${sub.invoice ?? sub.period_end.toISOString()}`;
        await enqueue(trx, 'mail', key, { to: person.email, ...paymentFailedEmail(person.name, sub, url) });
      }
      if (hasEnded(sub) && sub.ended_at && after(sub.ended_at, news) > now) {
        const person = await personOf(account, trx);
        await enqueue(trx, 'mail', `plan:${sub.id}:ended`, { to: person.email, ...endedEmail(person.name, sub, url) });
      }
    },

    /** Its trial or its plan ends within the notice (P6.3): said once for each end. */
    async remind(trx: Trx, account: string, subs: readonly Sub[]): Promise<void> {
      const sub = counting(subs);
      const ends = sub && isSubscribed(sub) ? endsAt(sub) : null;
      const now = clock.now();
      if (!sub || !ends || ends <= now || after(ends, -serverLimits.plan_ends_notice) > now) return;
      const { name, email } = await personOf(account, trx);
      const letter = sub.ends ? endsEmail(name, sub, ends, url) : trialEndsEmail(name, sub, ends, url);
      await enqueue(trx, 'mail', `${soon(sub, ends)}:letter`, { to: email, ...letter });
    },
  };
}
