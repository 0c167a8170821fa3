import type { JobKinds } from './queue.ts';

/** Urgent: somebody may lose money while it waits, or waits for it at a screen. Bulk: many at once, and nobody misses them for an hour. */
export type Urgency = 'urgent' | 'ordinary' | 'bulk';
/** Who carries a job out: the mail server, the telephone network, or this server alone. */
export type CarrierName = 'mail' | 'sms' | 'work';
/** Jobs of one lane wait for one another and for no other job. */
export type LaneName = `${CarrierName}_${Urgency}`;

/** What a job is when nothing else is said as it is queued. */
const usually: Record<keyof JobKinds, Urgency> = {
  mail: 'ordinary',
  // Codes, and what is worth a text at all.
  sms: 'urgent',
  account_mail: 'urgent',
  guardian_link: 'urgent',
  plan_night: 'ordinary',
  plan_sync: 'bulk',
  plan_ends: 'ordinary',
  care_hour: 'ordinary',
  feed_day: 'ordinary',
  stopped_look: 'urgent',
  outage_look: 'urgent',
  weekly: 'bulk',
  acts_together: 'ordinary',
};

export function laneOf(kind: keyof JobKinds, urgency: Urgency = usually[kind]): LaneName {
  return `${kind === 'mail' || kind === 'sms' ? kind : 'work'}_${urgency}`;
}

export function urgencyOf(lane: string): Urgency {
  return lane.endsWith('_urgent') ? 'urgent' : lane.endsWith('_bulk') ? 'bulk' : 'ordinary';
}

export interface LanePlaces {
  name: LaneName;
  carrier: CarrierName;
  /** How many jobs run at a time. */
  at_once: number;
  /** How many more may go on beside them once they have taken too long (`slow_after_ms`), so that they keep no place from the others. */
  aside: number;
  /** How many of one recipient's domain run at a time, slow ones among them; undefined where jobs have no recipient. */
  per_domain?: number;
}

/** A place is given back after so long: a mail server that works answers sooner. */
export const slow_after_ms = 1_000;

/**
 * The lanes, the urgent ones of each carrier first. Few places outside of the urgent ones: each mail that is under way when this process dies may leave
 * a second time. `urgent`: the setting URGENT_AT_ONCE.
 */
export function lanesWith(urgent: number): LanePlaces[] {
  const half = Math.ceil(urgent / 2);
  return [
    { name: 'mail_urgent', carrier: 'mail', at_once: urgent, aside: urgent, per_domain: half },
    { name: 'mail_ordinary', carrier: 'mail', at_once: 3, aside: 3, per_domain: 2 },
    { name: 'mail_bulk', carrier: 'mail', at_once: 3, aside: 1, per_domain: 3 },
    { name: 'sms_urgent', carrier: 'sms', at_once: urgent, aside: urgent, per_domain: half },
    { name: 'sms_ordinary', carrier: 'sms', at_once: 2, aside: 0 },
    { name: 'sms_bulk', carrier: 'sms', at_once: 1, aside: 0 },
    { name: 'work_urgent', carrier: 'work', at_once: 4, aside: 0 },
    { name: 'work_ordinary', carrier: 'work', at_once: 4, aside: 0 },
    { name: 'work_bulk', carrier: 'work', at_once: 2, aside: 0 },
  ];
}

/** How many mails of each urgency can be under way at once, for whoever keeps the connections. */
export function mailsAtOnce(urgent: number): Record<Urgency, number> {
  const of = (name: LaneName) => lanesWith(urgent).reduce((sum, lane) => (lane.name === name ? lane.at_once + lane.aside : sum), 0);
  return { urgent: of('mail_urgent'), ordinary: of('mail_ordinary'), bulk: of('mail_bulk') };
}
