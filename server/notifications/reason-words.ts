import type { Channel, DeliveryState } from '@porchlight/contract/alerts.ts';

/** https://www.twilio.com/docs/messaging/api/message-resource#message-status-values */
export function carrierFailed(status: string): boolean {
  return status === 'failed' || status === 'undelivered';
}

const reasons: Record<Channel, Record<string, string>> = {
  mail: {
    refused: 'The address does not take our email. Check with them whether it is still right.',
    no_address: 'This address does not exist. Ask them for the right one.',
    ours: 'The email did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    gave_up: 'The email did not get through for a whole day. Check the address with them.',
    trying: 'The email did not get through yet. We keep trying for a day.',
  },
  sms: {
    opted_out: 'The number asked us not to send texts. To get them again, text START to us from that phone.',
    refused: 'The number takes no texts. Check with them whether it is still right.',
    country: 'We do not send texts to that country. Emails still go out.',
    budget: 'There were too many texts that day, so this one was not sent. Emails still went out.',
    undelivered: 'The text did not reach the phone. Check with them whether the number is still right.',
    ours: 'The text did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    gave_up: 'The text did not get through for a whole day. Check the number with them.',
    trying: 'The text did not get through yet. We keep trying for a day.',
  },
  push: {
    refused: 'Their browser takes no notifications anymore. They can switch them on again on their page.',
    ours: 'The notification did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    too_late: 'The notification did not get through for an hour, so we did not send it.',
    gave_up: 'The notification did not get through for an hour, so we did not send it.',
    trying: 'The notification did not get through yet. We keep trying for an hour.',
  },
};

/** Null when nothing is wrong with the delivery. */
export function reasonOf(delivery: { channel: Channel; state: DeliveryState; why: string | null; tries: number }): string | null {
  const reasonTexts = reasons[delivery.channel];
  if (delivery.state === 'sent') return null;
  if (delivery.state === 'waiting' && delivery.why === 'ours') return reasonTexts.ours ?? null;
  if (delivery.state === 'waiting') return delivery.tries > 0 ? (reasonTexts.trying ?? null) : null;
  return reasonTexts[delivery.why ?? 'refused'] ?? reasonTexts.refused ?? null;
}

export type SmsKeyword = 'out' | 'in' | 'help' | 'on_it' | null;

/** Twilio's own lists (https://help.twilio.com/articles/223134027): the carrier blocks a number at these, so we must know it too. */
const keywords: Record<string, SmsKeyword> = {
  STOP: 'out',
  STOPALL: 'out',
  UNSUBSCRIBE: 'out',
  CANCEL: 'out',
  END: 'out',
  QUIT: 'out',
  REVOKE: 'out',
  OPTOUT: 'out',
  START: 'in',
  UNSTOP: 'in',
  YES: 'in',
  HELP: 'help',
  INFO: 'help',
  1: 'on_it',
};

/** Everything but letters, digits and signs such as `+`: quotes, punctuation, emoji with their modifiers, white space, invisible marks. */
const aroundKeywords = /[\p{P}\p{So}\p{Sk}\p{M}\p{Z}\p{C}]+/gu;

/** One of the keywords as the whole text (P5.5, P11.1, P17.4), in any case and width, also in two words such as `opt out`. */
export function keywordOf(body: string): SmsKeyword {
  const keyword = body.normalize('NFKC').replace(aroundKeywords, '').toUpperCase();
  return Object.hasOwn(keywords, keyword) ? (keywords[keyword] ?? null) : null;
}
