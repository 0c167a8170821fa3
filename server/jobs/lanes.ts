import type { JobKinds } from './kinds.ts';

/** Urgent: a user may lose money meanwhile, or waits at a screen. Bulk: an hour's delay does not matter. */
export type Urgency = 'urgent' | 'ordinary' | 'bulk';
export type CarrierName = 'mail' | 'sms' | 'push' | 'voice' | 'work';
/** Jobs wait only for other jobs of the same lane. */
export type LaneName = `${CarrierName}_${Urgency}`;

const defaultUrgency: Record<keyof JobKinds, Urgency> = {
  mail: 'ordinary',
  // Codes and severe alerts.
  sms: 'urgent',
  push: 'urgent',
  call: 'urgent',
  account_mail: 'urgent',
  guardian_link: 'urgent',
  plan_night: 'ordinary',
  plan_sync: 'bulk',
  plan_ends: 'ordinary',
  hourly: 'ordinary',
  retention: 'bulk',
  feed_day: 'ordinary',
  stopped_check: 'urgent',
  outage_check: 'urgent',
  weekly: 'bulk',
  activity_group: 'ordinary',
  quiet_alerts: 'ordinary',
  incident_checkup: 'ordinary',
  incident_end: 'ordinary',
  first_hour_end: 'ordinary',
  request_call: 'urgent',
  request_unanswered: 'ordinary',
  fallback: 'urgent',
  guardian_unreachable: 'ordinary',
  emergency_end: 'ordinary',
  account_deletion: 'bulk',
  escalation: 'urgent',
  operator_webhook: 'urgent',
};

/** Kinds without a carrier of their own are work of the server itself. */
const carriers: { [K in keyof JobKinds]?: CarrierName } = { mail: 'mail', sms: 'sms', push: 'push', call: 'voice' };

export function laneOf(kind: keyof JobKinds, urgency: Urgency = defaultUrgency[kind]): LaneName {
  return `${carriers[kind] ?? 'work'}_${urgency}`;
}

export function urgencyOf(lane: string): Urgency {
  return lane.endsWith('_urgent') ? 'urgent' : lane.endsWith('_bulk') ? 'bulk' : 'ordinary';
}

export interface LaneSlots {
  name: LaneName;
  carrier: CarrierName;
  max_running: number;
  /** How many slow jobs (`slow_after_ms`) may continue without occupying a slot. */
  aside: number;
  /** Jobs per domain, slow ones included; undefined for jobs without a recipient. */
  per_domain?: number;
}

/** After this time a job frees its slot: a working mail server answers sooner. */
export const slow_after_ms = 1_000;

/**
 * Each carrier's urgent lane first. Other lanes have few slots, because each email that is being sent when this process dies may be sent
 * twice. `urgent`: URGENT_AT_ONCE.
 */
export function lanesWith(urgent: number): LaneSlots[] {
  const halfOfUrgent = Math.ceil(urgent / 2);
  return [
    { name: 'mail_urgent', carrier: 'mail', max_running: urgent, aside: urgent, per_domain: halfOfUrgent },
    { name: 'mail_ordinary', carrier: 'mail', max_running: 3, aside: 3, per_domain: 2 },
    { name: 'mail_bulk', carrier: 'mail', max_running: 3, aside: 1, per_domain: 3 },
    { name: 'sms_urgent', carrier: 'sms', max_running: urgent, aside: urgent, per_domain: halfOfUrgent },
    { name: 'sms_ordinary', carrier: 'sms', max_running: 2, aside: 0 },
    { name: 'sms_bulk', carrier: 'sms', max_running: 1, aside: 0 },
    { name: 'voice_urgent', carrier: 'voice', max_running: urgent, aside: urgent, per_domain: halfOfUrgent },
    { name: 'push_urgent', carrier: 'push', max_running: urgent, aside: urgent, per_domain: halfOfUrgent },
    { name: 'push_ordinary', carrier: 'push', max_running: 2, aside: 2, per_domain: 2 },
    { name: 'push_bulk', carrier: 'push', max_running: 1, aside: 0 },
    { name: 'work_urgent', carrier: 'work', max_running: 4, aside: 0 },
    { name: 'work_ordinary', carrier: 'work', max_running: 4, aside: 0 },
    { name: 'work_bulk', carrier: 'work', max_running: 2, aside: 0 },
  ];
}

export function maxConcurrentMails(urgent: number): Record<Urgency, number> {
  const connectionsOf = (name: LaneName) =>
    lanesWith(urgent).reduce((sum, lane) => (lane.name === name ? lane.max_running + lane.aside : sum), 0);
  return { urgent: connectionsOf('mail_urgent'), ordinary: connectionsOf('mail_ordinary'), bulk: connectionsOf('mail_bulk') };
}
