import type { PushMessage } from '@porchlight/contract/push.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sentencesWithin, shortened } from '../../texts/short-sentences.ts';
import type { DeliveryRule, Message } from './rendering.ts';

/**
 * The email in short, for whatever is urgent or sent by text too. Null without a page that it leads to, as for a guardian who has just been
 * removed.
 */
export function pushOf({ email, sms }: Message, { category, about, urgency }: DeliveryRule): PushMessage | null {
  if (!email?.url || (sms === null && urgency !== 'urgent')) return null;
  return {
    title: shortened(email.subject, serverLimits.push_title_max),
    body: sentencesWithin(email.lead ?? '', serverLimits.push_body_max),
    url: email.url,
    tag: `${category}:${about}`,
  };
}
