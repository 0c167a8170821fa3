import type { Subscription } from '@porchlight/contract/subscriptions.ts';
import { shortDate } from '../../lib/dates.ts';
import { messages } from './messages.ts';

/** What is said of a plan: how it stands, and whether that wants someone to look. */
export interface PlanMessages {
  words: string;
  look: boolean;
}

/** How a plan stands, in words (2.61, 4.14 to 4.18). */
export function planMessages(plan: Subscription): PlanMessages {
  const date = plan.expires === null ? '' : shortDate(new Date(plan.expires));
  const say = (words: string, look = false): PlanMessages => ({ words, look });
  if (plan.external) return say(messages.external);
  if (plan.subscribed) {
    if (plan.status === 'past_due') return say(messages.pastDue, true);
    if (!date) return say('');
    if (plan.renews === false) return say(plan.status === 'trialing' ? messages.trialStops(date) : messages.stops(date), true);
    return say(plan.status === 'trialing' ? messages.trial(date) : messages.renews(date));
  }
  if (onHold(plan)) return say(messages.unpaid, true);
  if (plan.lifetime) return say(messages.lifetime);
  if (plan.device_limit > 0) return say(messages.complementary);
  return plan.status === 'ended' ? say(messages.ended(date), true) : say(messages.noPlan);
}

/** Bought and not paid for in the end: what helps is the card, not a second plan. */
export function onHold(plan: Subscription): boolean {
  return plan.status === 'past_due' && !plan.subscribed && !plan.external;
}
