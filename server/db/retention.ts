import { type RetentionPeriod, retention } from '@porchlight/contract/retention.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Rows of another table, `c`, that are deleted in the same statement as a row, `old`. */
interface Dependents {
  table: keyof Tables;
  where: RawBuilder<SqlBool>;
}

/** Which rows of a table, `t`, are deleted, the oldest first. */
interface DeletionRule {
  /** Null: at the time in the column itself. */
  period: RetentionPeriod | null;
  /** From when the period counts. An index orders it, unless there are only a few rows at any time. */
  since: string | RawBuilder<unknown>;
  /** `cutoff`: the newest time that is deleted. */
  where?: (cutoff: Date) => RawBuilder<SqlBool>;
  dependents?: Dependents[];
  few_rows?: true;
  /** How many rows are deleted at once, instead of `rows_at_once`. */
  at_once?: number;
}

interface Deleted<T extends keyof Tables> {
  /** The columns of the primary key. */
  key: (keyof Tables[T] & string)[];
  /** Other columns that the rules' dependents name. */
  also_read?: (keyof Tables[T] & string)[];
  rules: DeletionRule[];
}

/**
 * - `with`: deleted with the row of that table that it belongs to.
 * - `elsewhere`: the feature deletes old rows itself.
 * - `stays`: as long as the account, the device or the guardian, or why it never grows old.
 */
type Fate<T extends keyof Tables> = Deleted<T> | { with: keyof Tables } | { elsewhere: string } | { stays: string };

/** Codes that were texted: useless after ten minutes, but they have phone numbers. */
const unusedCode: DeletionRule = { period: retention.codes, since: 'expires', few_rows: true };

/** Who got a message about an alert, an activity or a practice alarm is shown as long as these. */
const deliveryPeriods = {
  alert: retention.alerts,
  act: retention.activity,
  drill: retention.practice_alarms,
  scan: retention.messages,
  outage: retention.messages,
  weekly: retention.messages,
  invitation: retention.messages,
};
/** Each kind of delivery has a period. */
export type DeliveryKind = keyof typeof deliveryPeriods;

const deliveryRule = ([kind, period]: [string, RetentionPeriod]): DeletionRule => ({
  period,
  since: 'time',
  // The newest result of each guardian's channel says whether anything reaches them (P11.4), however old it is.
  where: () => sql<SqlBool>`t.kind = ${sql.lit(kind)} and t.state <> 'waiting' and (
    t.guardian is null
    or not exists (select from guardians g where g.uuid = t.guardian)
    or exists (select from deliveries n where n.account = t.account and n.guardian = t.guardian and n.channel = t.channel
      and n.state = t.state and (n.time, n.key) > (t.time, t.key)))`,
});

/** A payment may stay overdue for months, and its email is sent once because the key of its job exists. */
const paymentKeys = sql<SqlBool>`(t.kind = 'mail' and t.unique_key like 'plan:%:failed:%')`;

const ofAlert = sql<SqlBool>`c.account = old.account and c.alert = old.uuid`;
const account = 'As long as the account.';
const device = 'One row of each device, as long as the device.';
const definitions = 'What agents are given; the feature itself replaces it.';
const operator = 'About the server itself; it does not grow.';
const simulators = 'Only of the simulators, which no real service has.';

/** What becomes of each table's rows with time (P14.4). The numbers that people read are in contract/retention.ts. */
export const fates: { [T in keyof Tables]: Fate<T> } = {
  // Alerts with what belongs to them. By the time of receipt, so that a late report is shown as long as any other.
  detections: {
    key: ['device', 'uuid'],
    also_read: ['account'],
    rules: [
      {
        period: retention.alerts,
        since: 'received',
        where: () => sql`t.counted_into is null`,
        dependents: [
          { table: 'detections', where: sql`c.device = old.device and c.counted_into = old.uuid` },
          { table: 'alert_answers', where: ofAlert },
          { table: 'wrong_alerts', where: ofAlert },
          { table: 'alerts_seen', where: ofAlert },
        ],
        at_once: 500,
      },
    ],
  },
  alert_answers: { with: 'detections' },
  wrong_alerts: { with: 'detections' },
  // It outlasts its device, and so the alert.
  alerts_seen: { key: ['account', 'alert', 'guardian'], rules: [{ period: retention.alerts, since: 'time' }] },

  // An incident that is prolonged all the time never ends, and so is never deleted.
  incidents: {
    key: ['uuid'],
    rules: [
      {
        period: retention.incidents,
        since: 'last_opener',
        // It ends a day after its last opener, unless somebody ends it (P9.2).
        where: (cutoff) => sql`coalesce(t.over, t.last_opener + interval '1 day') <= ${cutoff}`,
        at_once: 100,
      },
    ],
  },
  incident_events: { with: 'incidents' },
  incident_steps: { with: 'incidents' },
  escalations: { with: 'incidents' },
  escalation_steps: { with: 'escalations' },
  held_requests: {
    key: ['uuid'],
    rules: [{ period: retention.incidents, since: 'time', where: () => sql`t.incident is null` }],
  },
  request_answers: { with: 'held_requests' },
  calls: { key: ['uuid'], rules: [{ period: retention.calls, since: 'created' }] },
  emergency_stops: { key: ['uuid'], rules: [{ period: retention.emergency_stops, since: 'until' }] },
  network_isolations: { key: ['uuid'], rules: [{ period: retention.emergency_stops, since: 'until' }] },
  appointments: { key: ['uuid'], rules: [{ period: retention.emergency_stops, since: 'until' }] },

  activity_log: { key: ['uuid'], rules: [{ period: retention.activity, since: 'received' }] },
  fire_drills: { key: ['uuid'], rules: [{ period: retention.practice_alarms, since: 'time' }] },

  jobs: {
    key: ['id'],
    rules: [
      { period: retention.messages, since: 'done_at', where: () => sql`not ${paymentKeys}` },
      { period: retention.activity, since: 'done_at', where: () => paymentKeys },
      { period: retention.messages, since: 'failed_at' },
    ],
  },
  deliveries: { key: ['key'], rules: Object.entries(deliveryPeriods).map(deliveryRule) },

  device_reports: { key: ['device', 'uuid'], rules: [{ period: retention.computer_reports, since: 'time' }] },
  scans: { key: ['device', 'uuid'], rules: [{ period: retention.computer_reports, since: 'received' }] },
  device_networks: { key: ['device', 'network_hash'], rules: [{ period: retention.computer_networks, since: 'seen' }] },
  offline_spells: { elsewhere: 'features/device-health/watch-store.ts' },
  device_outages: { stays: device },
  device_watch: { stays: device },
  device_use: { stays: device },
  device_pins: { stays: device },
  code_secrets: { stays: device },
  call_consents: { stays: device },
  one_time_codes: {
    key: ['device', 'purpose', 'program', 'time_window', 'number'],
    rules: [{ period: retention.codes, since: 'time' }],
  },
  device_codes: { stays: 'One row for each time that the device was linked; a code that was not used goes with the next.' },
  device_tokens: { stays: 'An agent learns by it that its device was removed, however late (P3.6).' },
  devices: { stays: account },
  allow_list: { stays: 'As long as the device; entries that ended go with the next one.' },

  sessions: {
    key: ['token_hash'],
    rules: [
      { period: retention.unused_logins, since: 'last_used' },
      { period: retention.logins, since: 'created' },
    ],
  },
  guardian_sessions: { key: ['token_hash'], rules: [{ period: retention.guardian_logins, since: 'created' }] },
  known_networks: { key: ['account', 'network_hash'], rules: [{ period: retention.login_networks, since: 'used' }] },
  known_browsers: { stays: 'As long as the account: a browser that was forgotten would be reported as new.' },
  email_links: { key: ['token_hash'], rules: [{ period: retention.email_links, since: 'expires' }] },
  phone_codes: { key: ['account'], rules: [unusedCode] },
  guardian_phone_codes: { key: ['guardian'], rules: [unusedCode] },
  start_answers: { key: ['device', 'identifier'], rules: [{ period: null, since: 'until' }] },
  answer_codes: { key: ['person'], rules: [{ ...unusedCode, period: null }] },
  used_authenticator_setups: { key: ['setup'], rules: [{ period: null, since: 'ends' }] },
  used_passkey_questions: { key: ['question_hash'], rules: [{ period: null, since: 'ends' }] },
  rate_counts: { key: ['key'], rules: [{ period: null, since: 'ends' }] },
  code_callers: { key: ['caller'], rules: [{ period: null, since: 'ends' }] },
  // The operator can read the SMS budgets of past days.
  budgets: { key: ['name', 'day'], rules: [{ period: retention.messages, since: sql`t.day::date`, few_rows: true }] },
  buckets: { stays: operator },

  accounts: { stays: 'Until its holder deletes it.' },
  account_deletions: { stays: 'Until the deletion, or until it is taken back.' },
  passkeys: { stays: account },
  authenticators: { stays: account },
  recovery_codes: { stays: 'Until they are used, or made again.' },
  support_details: { stays: account },
  custom_policies: { stays: account },
  renames: { key: ['kind', 'id'], rules: [{ period: retention.computer_reports, since: 'time' }] },
  alert_settings: { stays: account },
  browsing_protection: { stays: account },
  unlisted_protection: { stays: account },
  hold_settings: { stays: account },
  push_subscriptions: { stays: 'Until it is switched off, or the browser’s maker reports its end.' },
  phone_opt_outs: { stays: 'Until the number writes START (P5.5).' },
  guardians: { stays: account },
  guardian_visits: { stays: 'The newest hundred of each guardian; features/guardians/visit-store.ts deletes the others.' },
  free_downloads: { stays: 'An address that agreed to updates.' },
  signup_codes: { stays: 'Of those who give them away.' },

  customers: { stays: account },
  subscriptions: { stays: 'A copy of what the payment service has.' },
  // Their number is part of the key by which the payment service recognizes a repeated order.
  checkouts: { stays: account },
  payment_doubts: { stays: 'Until the payment service knows the plan again.' },
  payment_events: { key: ['id'], rules: [{ period: retention.payments, since: 'received' }] },

  wrong_matches: { stays: 'What was matched, without who reported it.' },
  definition_sets: { stays: 'Their numbers are never used again.' },
  feed_keys: { stays: definitions },
  feed_parts: { elsewhere: 'features/definitions/feed-parts.ts' },
  site_lists: { elsewhere: 'features/definitions/site-lists.ts' },
  upstream_sets: { elsewhere: 'features/definitions/upstream-store.ts' },
  upstream_feeds: { stays: operator },
  server_keys: { stays: operator },
  server_uptime: { elsewhere: 'features/device-health/uptime.ts' },
  listening: { stays: operator },
  carriers_away: { stays: operator },
  operator_problems: { elsewhere: 'features/operator-alerts/problem-store.ts' },
  unreadable_callers: { stays: operator },
  last_backup: { stays: operator },
  payment_account: { stays: operator },
  simulator_items: { stays: simulators },
  shared_documents: { stays: simulators },
};

/** Without a rule that says otherwise. */
const rows_at_once = 1_000;

/** One rule of one table, with what a statement needs. */
export interface TableRule extends DeletionRule {
  table: keyof Tables;
  key: string[];
  also_read: string[];
  at_once: number;
}

export const deletionRules: TableRule[] = Object.entries(fates).flatMap(([table, fate]) =>
  'rules' in fate
    ? fate.rules.map((rule) => ({
        ...{ at_once: rows_at_once, ...rule },
        ...{ table: table as keyof Tables, key: fate.key, also_read: fate.also_read ?? [] },
      }))
    : [],
);
