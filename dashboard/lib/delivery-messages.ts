import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import { listOf } from '@porchlight/contract/language.ts';
import { deliveryReason } from '@porchlight/contract/words/delivery-reasons.ts';

export interface DeliveryMessage {
  /** `you by email, Bob by email and text`; '' for nobody. */
  reached: string;
  waiting: NotificationDelivery[];
  failed: NotificationDelivery[];
}

export const channelNames = { mail: 'email', sms: 'text', push: 'notification' } as const;

/** `name`: of `nameOf`; `channel`: of a delivery. */
export const deliveryWords = {
  reached: (names: string) => `We wrote to ${names}.`,
  nobody: 'Nobody has been reached yet.',
  waiting: ({ channel, ...one }: NotificationDelivery) => `A message to ${nameOf(one)} by ${channelNames[channel]} is on its way.`,
  failed: ({ channel, why, ...one }: NotificationDelivery) =>
    `We couldn’t reach ${nameOf(one)} by ${channelNames[channel]}.${why ? ` ${deliveryReason(channel, why)}` : ''}`,
};
const channels = ['mail', 'sms', 'push'] as const;

export function deliveryMessage(deliveries: NotificationDelivery[]): DeliveryMessage {
  const sentDeliveries = deliveries.filter(({ state }) => state === 'sent');
  const people = [...new Map(sentDeliveries.map((one) => [one.guardian, one])).values()];
  const channelsTo = (guardian: string | null) => {
    const used = sentDeliveries.filter((one) => one.guardian === guardian).map((one) => one.channel);
    return channels.filter((channel) => used.includes(channel)).map((channel) => channelNames[channel]);
  };
  return {
    reached: people.map((one) => `${nameOf(one)} by ${listOf(channelsTo(one.guardian))}`).join(', '),
    waiting: deliveries.filter(({ state }) => state === 'waiting'),
    failed: deliveries.filter(({ state }) => state === 'failed'),
  };
}

export function nameOf({ guardian, name }: Pick<NotificationDelivery, 'guardian' | 'name'>): string {
  return guardian === null ? 'you' : name;
}
