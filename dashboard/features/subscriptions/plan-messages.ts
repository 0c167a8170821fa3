import type { Subscription } from '@porchlight/contract/subscriptions.ts';
import { shortDate } from '../../lib/dates.ts';
import { t } from './messages.ts';

/** What is said of a plan: how it stands, and whether that wants someone to look. */
export interface PlanWords {
  words: string;
  look: boolean;
}

/** How a plan stands, in words (2.61, 4.14 to 4.18). */
export function planWords(plan: Subscription): PlanWords {
  const date = plan.expires === null ? '' : shortDate(new Date(plan.expires));
  const say = (words: string, look = false): PlanWords => ({ words, look });
  if (plan.external) return say(t.external);
  if (plan.subscribed) {
    if (plan.status === 'past_due') return say(t.pastDue, true);
    if (!date) return say('');
    if (plan.renews === false) return say(plan.status === 'trialing' ? t.trialStops(date) : t.stops(date), true);
    return say(plan.status === 'trialing' ? t.trial(date) : t.renews(date));
  }
  if (onHold(plan)) return say(t.unpaid, true);
  if (plan.lifetime) return say(t.lifetime);
  if (plan.device_limit > 0) return say(t.complementary);
  return plan.status === 'ended' ? say(t.ended(date), true) : say(t.noPlan);
}

/** Bought and not paid for in the end: what helps is the card, not a second plan. */
export function onHold(plan: Subscription): boolean {
  return plan.status === 'past_due' && !plan.subscribed && !plan.external;
}
