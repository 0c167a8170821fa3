import type { Subscription } from '@porchlight/contract/subscriptions.ts';
import { shortDate } from '../../lib/calendar.ts';
import { messages } from './messages.ts';

export interface PlanMessages {
  words: string;
  needsAttention: boolean;
}

/** Clauses 2.61, 4.14 to 4.18. */
export function planMessages(plan: Subscription): PlanMessages {
  const date = plan.expires === null ? '' : shortDate(new Date(plan.expires));
  const planMessage = (text: string, needsAttention = false): PlanMessages => ({ words: text, needsAttention });
  if (plan.external) return planMessage(messages.external);
  if (plan.subscribed) {
    if (plan.status === 'past_due') return planMessage(messages.pastDue, true);
    if (!date) return planMessage('');
    if (plan.renews === false) return planMessage(plan.status === 'trialing' ? messages.trialStops(date) : messages.stops(date), true);
    return planMessage(plan.status === 'trialing' ? messages.trial(date) : messages.renews(date));
  }
  if (onHold(plan)) return planMessage(messages.unpaid, true);
  if (plan.lifetime) return planMessage(messages.lifetime);
  if (plan.device_limit > 0) return planMessage(messages.complimentary);
  return plan.status === 'ended' ? planMessage(messages.ended(date), true) : planMessage(messages.noPlan);
}

/** An unpaid plan: the card needs fixing, and a second plan would not help. */
export function onHold(plan: Subscription): boolean {
  return plan.status === 'past_due' && !plan.subscribed && !plan.external;
}
