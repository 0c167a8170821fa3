import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { endedEmail, endsEmail, paymentFailedEmail, trialEndsEmail } from './emails.ts';
import { currentSubscription, endsAt, hasEnded, isSubscribed, type StripeSubscription } from './rules.ts';

export interface AnnouncementDeps extends Pick<Kernel, 'clock' | 'enqueue'> {
  dashboard_url: string;
  personOf(account: string, trx: Trx): Promise<{ name: string; email: string }>;
}

export type PlanAnnouncements = ReturnType<typeof planAnnouncements>;

/** Milliseconds. An end longer ago is not announced, such as when an old account is synced again. */
const announceWithinMs = 14 * 86_400_000;

/** Emails about plans, derived from the current state; their keys prevent duplicates. */
export function planAnnouncements({ clock, enqueue, dashboard_url, personOf }: AnnouncementDeps) {
  const url = `${dashboard_url}/`;
  const endKey = (sub: StripeSubscription, ends: Date) => `plan:${sub.id}:ends:${ends.toISOString()}`;

  return {
    async announce(trx: Trx, account: string, subs: readonly StripeSubscription[]): Promise<void> {
      const sub = currentSubscription(subs);
      if (!sub) return;
      const now = clock.now();
      if (isSubscribed(sub)) {
        const ends = endsAt(sub);
        if (ends && ends > now) {
          await enqueue(trx, 'plan_ends', endKey(sub, ends), { account }, after(ends, -serverLimits.plan_ends_notice));
        }
      }
      if (sub.status === 'past_due') {
        const person = await personOf(account, trx);
        const key = `plan:${sub.id}:failed:${sub.invoice ?? sub.period_end.toISOString()}`;
        await enqueue(trx, 'mail', key, { to: person.email, ...paymentFailedEmail(person.name, sub, url) });
      }
      if (hasEnded(sub) && sub.ended_at && after(sub.ended_at, announceWithinMs) > now) {
        const person = await personOf(account, trx);
        await enqueue(trx, 'mail', `plan:${sub.id}:ended`, { to: person.email, ...endedEmail(person.name, sub, url) });
      }
    },

    /** Announces an end within the notice period (P6.3), once. */
    async remind(trx: Trx, account: string, subs: readonly StripeSubscription[]): Promise<void> {
      const sub = currentSubscription(subs);
      const ends = sub && isSubscribed(sub) ? endsAt(sub) : null;
      const now = clock.now();
      if (!sub || !ends || ends <= now || after(ends, -serverLimits.plan_ends_notice) > now) return;
      const { name, email } = await personOf(account, trx);
      const message = sub.ends ? endsEmail(name, sub, ends, url) : trialEndsEmail(name, sub, ends, url);
      await enqueue(trx, 'mail', `${endKey(sub, ends)}:email`, { to: email, ...message });
    },
  };
}
