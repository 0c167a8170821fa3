import type { PushMessage, PushSubscriptionBody } from '@porchlight/contract/push.ts';
import type { PushJob } from '../../jobs/kinds.ts';
import { type JobFacts, PermanentJobError, RetryJobError } from '../../jobs/worker.ts';
import type { Clock } from '../../lib/clock.ts';
import { latePush } from '../../texts/late-message.ts';
import type { PushStore } from './store.ts';

/** `gone`: the subscription has ended; `refused`: this message will never be accepted; `retry_after`: in milliseconds, 0 if unknown. */
export type PushOutcome = 'taken' | 'gone' | 'refused' | { retry_after: number };

/** `ttl`: in milliseconds. */
export type SendPush = (
  subscription: PushSubscriptionBody,
  message: PushMessage,
  options: { ttl: number; urgent: boolean },
) => Promise<PushOutcome>;

export interface PushJobDeps {
  clock: Clock;
  store: Pick<PushStore, 'of' | 'end'>;
  send: SendPush;
}

/**
 * Sends to all browsers of a person at once. If any accepts, the job is done, since running again would send to that browser twice. Deletes
 * subscriptions that have ended.
 */
export function pushJob({ clock, store, send }: PushJobDeps) {
  return async ({ account, guardian, message, until, happened }: PushJob, _id: string, { urgency }: JobFacts): Promise<void> => {
    const now = clock.now();
    const ttl = new Date(until).getTime() - now.getTime();
    if (ttl <= 0) throw new PermanentJobError('it came too late to be of use', 'too_late');
    const person = guardian ?? account;
    const content = happened ? latePush(message, happened, now) : message;
    const outcomes = await Promise.all(
      (await store.of(person)).map(async (subscription) => {
        const outcome = await send(subscription, content, { ttl, urgent: urgency === 'urgent' });
        if (outcome === 'gone') await store.end(person, subscription.endpoint);
        return outcome;
      }),
    );
    if (outcomes.includes('taken')) return;
    const waits = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? outcome.retry_after : []));
    if (!waits.length) throw new PermanentJobError('no browser takes it', 'refused');
    throw new RetryJobError('no push service took it', Math.min(...waits));
  };
}
