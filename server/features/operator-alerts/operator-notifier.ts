import { hour } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { WebhookEvent } from '../../integrations/webhook/webhook.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after } from '../../lib/clock.ts';
import { operatorMessage } from './messages.ts';
import type { Problem } from './problem-rule.ts';

/** In milliseconds. A text about a begin that comes hours later is wrong by then. */
const sms_useful = 2 * hour;
const webhook_useful = 6 * hour;

export interface OperatorNotifierDeps {
  enqueue: Enqueue;
  /** `phone`: null where no text leaves either. */
  operator: { email: string; phone: string | null; webhook: boolean };
  /** Of PUBLIC_URL. */
  host: string;
  hostname: string;
}

/** Which problem began or ended, when. `problem.notified`: when the operator was notified of its begin. */
export interface Change {
  key: string;
  state: 'began' | 'ended';
  problem: Problem;
  now: Date;
}

/** A notice that the queue is late. */
export const isOfQueue = ({ key, state }: Pick<Change, 'key' | 'state'>): boolean => key === 'backlog' && state === 'began';

export type OperatorNotifier = ReturnType<typeof operatorNotifier>;

/** Queues what the operator gets, in the transaction of the problem's row, so that there is both or neither. */
export function operatorNotifier({ enqueue, operator, host, hostname }: OperatorNotifierDeps) {
  /** A message about its own carrier waits until the problem is over, so only the end is sent that way. */
  const channelsFor = ({ key: problem, state }: Pick<Change, 'key' | 'state'>) => {
    const isUsable = (carrier: string) => state === 'ended' || problem !== carrier;
    return {
      mail: isUsable('mail'),
      sms: operator.phone !== null && isUsable('sms') ? operator.phone : null,
      webhook: operator.webhook,
    };
  };
  /** False for the begin of a problem of which only the log has a line. */
  const reachesAnyone = (change: Pick<Change, 'key' | 'state'>) => {
    const { mail, sms, webhook } = channelsFor(change);
    return mail || sms !== null || webhook;
  };
  const messageOf = ({ key, state, problem: { since, good_since, detail }, now }: Change) => {
    const isFirst = state === 'ended' && !reachesAnyone({ key, state: 'began' });
    return operatorMessage({ key, since, detail, ended: state === 'ended' ? (good_since ?? now) : null, isFirst }, host);
  };

  const eventOf = (change: Change): WebhookEvent => ({
    text: messageOf(change).text,
    problem: change.key,
    state: change.state,
    since: change.problem.since.toISOString(),
    server: hostname,
  });

  // The time of the notification, because two problems of one carrier may have the same begin.
  const idOf = ({ key, state, problem, now }: Change, channel: string) =>
    `operator:${key}:${hostname}:${(problem.notified ?? now).toISOString()}:${state}:${channel}`;
  const queueWebhook = (trx: Db | Trx, change: Change) => {
    const until = after(change.now, webhook_useful).toISOString();
    return enqueue(trx, 'operator_webhook', idOf(change, 'webhook'), { ...eventOf(change), until });
  };

  return {
    reachesAnyone,
    messageOf,
    eventOf,
    queueWebhook,

    async queue(trx: Trx, change: Change): Promise<void> {
      const { mail, sms } = messageOf(change);
      const channels = channelsFor(change);
      if (channels.mail)
        await enqueue(trx, 'mail', idOf(change, 'mail'), { to: operator.email, ...mail }, undefined, { urgency: 'urgent' });
      if (channels.sms !== null) {
        const until = after(change.now, sms_useful).toISOString();
        await enqueue(trx, 'sms', idOf(change, 'sms'), { to: channels.sms, body: sms, until, operator: true });
      }
      if (channels.webhook && !isOfQueue(change)) await queueWebhook(trx, change);
    },
  };
}
