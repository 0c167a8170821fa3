import type { Trouble } from '@porchlight/contract/alerts.ts';

/** The newest results of a guardian's channels. `failing`: whose newest notification failed permanently. */
export interface ChannelResults {
  failing: Trouble[];
  push_works: boolean;
}

export const noResults: ChannelResults = { failing: [], push_works: false };

/** The channels that are on: email, and SMS to a verified number that takes them. */
export interface ChosenChannels {
  mail: boolean;
  sms: boolean;
  phone_verified_time: Date | null;
}

/** Failures of disabled channels do not count, nor those of texts before the number was verified with a texted code. */
export function failingChannels({ mail, sms, phone_verified_time }: ChosenChannels, { failing }: ChannelResults): Trouble[] {
  const isVerifiedSince = (since: string) => phone_verified_time !== null && phone_verified_time > new Date(since);
  return failing.filter(({ channel, since }) => (channel === 'mail' ? mail : sms && !isVerifiedSince(since)));
}

/** Whether no channel reaches an active guardian: those that are on all failed last (P11.4). A channel without a result may work. */
export function isUnreachable(chosen: ChosenChannels, results: ChannelResults): boolean {
  const channelsOn = [chosen.mail, chosen.sms].filter(Boolean).length;
  return !results.push_works && failingChannels(chosen, results).length === channelsOn;
}
