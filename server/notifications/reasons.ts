import type { Channel, DeliveryState } from '@porchlight/contract/alerts.ts';

/** A final status of an SMS (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values). */
export function carrierFailed(status: string): boolean {
  return status === 'failed' || status === 'undelivered';
}

const reasons: Record<Channel, Record<string, string>> = {
  mail: {
    refused: 'The address does not take our mail. Check with them whether it is still right.',
    no_address: 'This address does not exist. Ask them for the right one.',
    ours: 'The mail did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    gave_up: 'The mail did not get through for a whole day. Check the address with them.',
    trying: 'The mail did not get through yet. We keep trying for a day.',
  },
  sms: {
    opted_out: 'The number has asked for no texts. A text with START from that phone puts it in again.',
    refused: 'The number takes no texts. Check with them whether it is still right.',
    country: 'We do not send texts to that country. Emails still go out.',
    budget: 'There were too many texts that day, so this one was not sent. Emails still went out.',
    undelivered: 'The text did not reach the phone. Check with them whether the number is still right.',
    ours: 'The text did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    gave_up: 'The text did not get through for a whole day. Check the number with them.',
    trying: 'The text did not get through yet. We keep trying for a day.',
  },
};

/** Why a person was not reached, and what to do; null where nothing is wrong. `tries`: so far. */
export function reasonOf(delivery: { channel: Channel; state: DeliveryState; why: string | null; tries: number }): string | null {
  const words = reasons[delivery.channel];
  if (delivery.state === 'sent') return null;
  if (delivery.state === 'waiting' && delivery.why === 'ours') return words.ours ?? null;
  if (delivery.state === 'waiting') return delivery.tries > 0 ? (words.trying ?? null) : null;
  return words[delivery.why ?? 'refused'] ?? words.refused ?? null;
}

export type Word = 'out' | 'in' | 'help' | null;

const words: Record<string, Word> = {
  STOP: 'out',
  STOPALL: 'out',
  UNSUBSCRIBE: 'out',
  CANCEL: 'out',
  END: 'out',
  QUIT: 'out',
  START: 'in',
  UNSTOP: 'in',
  HELP: 'help',
};

/** What an incoming SMS asks for (P5.5): it consists of one of the keywords, in any case, with spaces or full stops around it. */
export function wordOf(body: string): Word {
  const word = body.replace(/^[\s.!"']+|[\s.!"']+$/g, '').toUpperCase();
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}
