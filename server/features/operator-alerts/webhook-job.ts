import type { PostWebhook } from '../../integrations/webhook/webhook.ts';
import { type JobHandlers, PermanentJobError, RetryJobError } from '../../jobs/worker.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProblemStore } from './problem-store.ts';

export interface WebhookJobDeps {
  clock: Clock;
  store: Pick<ProblemStore, 'isOpen'>;
  /** Null where OPERATOR_WEBHOOK was removed since. */
  post: PostWebhook | null;
}

export const webhookJob =
  ({ clock, store, post }: WebhookJobDeps): JobHandlers['operator_webhook'] =>
  async ({ until, ...event }) => {
    if (post === null) throw new PermanentJobError('there is no OPERATOR_WEBHOOK');
    if (new Date(until) <= clock.now()) throw new PermanentJobError('it came too late to be of use', 'too_late');
    // After a begin that had to be retried the end may have been sent already; the end has both times.
    if (event.state === 'began' && !(await store.isOpen(event.problem, new Date(event.since)))) return;
    // The worker logs the messages of its own errors only; this one has no address.
    await post(event).catch((err: unknown) => {
      throw new RetryJobError(err instanceof Error ? err.message : 'the webhook failed', 0);
    });
  };
