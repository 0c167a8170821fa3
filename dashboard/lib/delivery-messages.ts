import type { Told } from '@porchlight/contract/alerts.ts';

/** Who was told of something, how, and what did not arrive. */
export interface DeliveryMessage {
  /** `you by email, Bob by email and text`; '' when nobody was. */
  reached: string;
  waiting: Told[];
  failed: Told[];
}

const by = { mail: 'email', sms: 'text' } as const;

export function deliveryMessage(told: Told[]): DeliveryMessage {
  const sent = told.filter(({ state }) => state === 'sent');
  const people = [...new Map(sent.map((one) => [one.guardian, one])).values()];
  const ways = (guardian: string | null) => {
    const channels = sent.filter((one) => one.guardian === guardian).map((one) => one.channel);
    return (['mail', 'sms'] as const).filter((channel) => channels.includes(channel)).map((channel) => by[channel]);
  };
  return {
    reached: people.map((one) => `${nameOf(one)} by ${ways(one.guardian).join(' and ')}`).join(', '),
    waiting: told.filter(({ state }) => state === 'waiting'),
    failed: told.filter(({ state }) => state === 'failed'),
  };
}

export function nameOf({ guardian, name }: Pick<Told, 'guardian' | 'name'>): string {
  return guardian === null ? 'you' : name;
}
