import { sql } from 'kysely';
import { byAccount, byContent, byCountedKey, byDevice, byGuardian, byIncident, byRequest, idsOf, type Owned } from './owned-rows.ts';
import type { Tables } from './tables.ts';

interface OwnedTable<T extends keyof Tables> {
  /** The heading of the readable page. */
  title: string;
  owned: Owned;
  /** Columns that an export has. Every column is in one of the three lists, or a test fails. */
  shown: (keyof Tables[T] & string)[];
  /** What would let its reader in, and what is stored as a hash alone: an export never has it. */
  secret?: (keyof Tables[T] & string)[];
  /** What guardians entered or did for themselves and the holder's screens do not show. */
  guardians_own?: (keyof Tables[T] & string)[];
  /** Why rows outlast the account; they have nothing of it then that the service could read. By default they are deleted. */
  outlasts?: string;
}

type AccountData = { [T in keyof Tables]: OwnedTable<T> | { nobodys: string } };

const simulators = 'Only of the simulators, which no real service has.';
const definitions = 'What agents are given, the same for everybody.';
const server = 'About the server itself.';

/** Every table of the database: whose rows it has, and what of them an export shows. In the order of deletion: what belongs to a row first. */
export const accountData: AccountData = {
  jobs: {
    title: 'Messages and checks',
    owned: byContent,
    shown: ['id', 'kind', 'run_at', 'attempts', 'created', 'done_at', 'failed_at', 'failing_since', 'why', 'lane', 'request_id'],
    // The content of an email may have a link that lets its reader in.
    secret: ['payload', 'unique_key', 'last_error', 'domain'],
  },
  rate_counts: { title: 'Counted attempts', owned: byCountedKey, shown: ['count', 'ends'], secret: ['key'] },
  free_downloads: {
    title: 'Free downloads',
    owned: ({ email }) => sql`lower(email) = ${email.toLowerCase()}`,
    shown: ['email', 'agreed'],
  },
  phone_opt_outs: {
    title: 'Numbers that asked for no texts',
    owned: ({ uuid }) => sql`phone_number = (select phone_number from accounts where uuid = ${uuid})`,
    shown: ['phone_number', 'since', 'by_key'],
    outlasts: 'Whoever has the number asked for no texts, whatever account it was in.',
  },
  answer_codes: {
    title: 'Codes to answer with',
    owned: (account) => sql`person = ${account.uuid} or person in ${idsOf('guardians', account)}`,
    shown: ['person', 'expires', 'tries'],
    secret: ['code_hash'],
    guardians_own: ['phone_number'],
  },
  detections: {
    title: 'What was found',
    // By device, because only this index has the counted ones too.
    owned: byDevice,
    shown: [
      ...(['uuid', 'device', 'account', 'time', 'received', 'name', 'identifier', 'category'] as const),
      ...(['details', 'blocked', 'certainty', 'why', 'counted_into', 'quiet'] as const),
    ],
  },
  alert_answers: {
    title: 'Answers to alerts',
    owned: byAccount,
    shown: ['account', 'device', 'alert', 'person', 'answer', 'name', 'time'],
  },
  wrong_alerts: { title: 'Alerts reported as wrong', owned: byAccount, shown: ['account', 'device', 'alert', 'time'] },
  alerts_seen: { title: 'Alerts that guardians saw', owned: byAccount, shown: ['account', 'alert', 'guardian', 'name', 'time'] },
  scans: { title: 'Scans', owned: byDevice, shown: ['uuid', 'device', 'time', 'received', 'items'] },
  allow_list: {
    title: 'Allowed',
    owned: byDevice,
    shown: ['id', 'device', 'type', 'identifier', 'added', 'until', 'waits_entry', 'refused', 'refused_by'],
  },
  start_answers: { title: 'Answers to starts that waited', owned: byDevice, shown: ['device', 'identifier', 'answer', 'until'] },
  device_codes: {
    title: 'Codes to link computers',
    owned: byDevice,
    shown: ['device', 'created', 'expires', 'used'],
    secret: ['code', 'nonce'],
  },
  device_pins: { title: 'PINs of computers', owned: byDevice, shown: ['device'], secret: ['sealed_pin', 'hash'] },
  device_use: { title: 'Use of computers', owned: byDevice, shown: ['device', 'connected_ms', 'last'] },
  device_reports: { title: 'Reports of computers', owned: byDevice, shown: ['device', 'uuid', 'time', 'kind', 'site'] },
  device_outages: {
    title: 'Outages of computers',
    owned: byDevice,
    shown: ['device', 'kind', 'since', 'until', 'notified_at', 'early', 'early_since'],
  },
  device_watch: { title: 'Checks of computers', owned: byDevice, shown: ['device', 'due', 'says_sleep', 'widespread'] },
  device_networks: { title: 'Networks of computers', owned: byDevice, shown: ['device', 'seen'], secret: ['network_hash'] },
  offline_spells: { title: 'Times offline', owned: byDevice, shown: ['device', 'ended'] },
  code_secrets: { title: 'Secrets of one-time codes', owned: byDevice, shown: ['device', 'id'], secret: ['sealed_secret'] },
  one_time_codes: {
    title: 'One-time codes that were shown',
    owned: byDevice,
    shown: ['device', 'purpose', 'program', 'time_window', 'number', 'guardian', 'time'],
  },
  call_consents: { title: 'Consents to calls', owned: byDevice, shown: ['device', 'phone_number', 'asked', 'agreed', 'refused'] },
  calls: {
    title: 'Phone calls',
    owned: byAccount,
    shown: ['uuid', 'account', 'purpose', 'incident', 'device', 'guardian', 'name', 'created', 'state', 'pressed', 'updated'],
    guardians_own: ['phone_number'],
  },
  request_answers: { title: 'Answers to requests', owned: byRequest, shown: ['request', 'person', 'answer', 'name', 'time'] },
  held_requests: {
    title: 'Changes that waited for an answer',
    owned: byAccount,
    shown: [
      ...(['uuid', 'account', 'incident', 'device', 'device_name', 'activities', 'time', 'rule', 'cause'] as const),
      ...(['done', 'done_activities', 'undone', 'lifted', 'failed', 'failure'] as const),
    ],
    secret: ['call_mac', 'sealed_call'],
  },
  escalation_steps: {
    title: 'Steps of calling for help',
    owned: byIncident,
    shown: ['incident', 'number', 'step', 'sequence', 'person', 'call', 'name', 'time'],
  },
  escalations: {
    title: 'Calling for help',
    owned: byIncident,
    shown: ['incident', 'number', 'opener', 'what', 'begun', 'stopped', 'answered'],
  },
  incident_events: {
    title: 'What happened in incidents',
    owned: byIncident,
    shown: ['incident', 'time', 'kind', 'person', 'name', 'what'],
  },
  incident_steps: {
    title: 'Steps after incidents',
    owned: byIncident,
    shown: ['incident', 'step', 'person', 'name', 'time', 'from_account'],
  },
  incidents: {
    title: 'Incidents',
    owned: byAccount,
    shown: [
      ...(['uuid', 'account', 'device', 'device_name', 'opened', 'opener', 'what', 'last_opener'] as const),
      ...(['over', 'asked_how', 'had_plan'] as const),
    ],
  },
  emergency_stops: {
    title: 'Emergency stops',
    owned: byAccount,
    shown: ['uuid', 'account', 'device', 'kind', 'person', 'name', 'time', 'until', 'ended'],
  },
  appointments: {
    title: 'Times when somebody helped',
    owned: byAccount,
    shown: [
      ...(['uuid', 'account', 'device', 'identifier', 'program', 'person', 'name', 'time', 'until'] as const),
      ...(['money_pages', 'ended', 'ended_by'] as const),
    ],
  },
  network_isolations: {
    title: 'Times without the internet',
    owned: byAccount,
    shown: ['uuid', 'account', 'device', 'person', 'name', 'time', 'until', 'may_end', 'ended', 'in_force', 'put_back', 'lost'],
  },
  guardian_phone_codes: {
    title: 'Codes to guardians’ phones',
    owned: byGuardian,
    shown: ['guardian', 'expires', 'tries'],
    secret: ['code_hash'],
    guardians_own: ['phone_number'],
  },
  guardian_sessions: {
    title: 'Guardians’ browsers',
    owned: byGuardian,
    shown: ['guardian', 'uuid', 'created'],
    secret: ['token_hash', 'key_version'],
    guardians_own: ['browser', 'last_used'],
  },
  guardian_visits: { title: 'Guardians’ visits', owned: byGuardian, shown: ['guardian', 'time'] },
  push_subscriptions: {
    title: 'Browsers with notifications',
    owned: byAccount,
    shown: ['person', 'account', 'guardian', 'created'],
    secret: ['endpoint_hash', 'sealed_subscription'],
    guardians_own: ['session', 'service'],
  },
  deliveries: {
    title: 'Messages that were sent',
    owned: byAccount,
    shown: ['account', 'kind', 'about', 'guardian', 'name', 'channel', 'state', 'tries', 'time', 'why', 'carrier'],
    secret: ['key'],
  },
  guardians: {
    title: 'Guardians',
    owned: byAccount,
    shown: [
      ...(['uuid', 'account', 'name', 'email', 'invited', 'accepted', 'declined', 'left_at', 'mail', 'mail_ends'] as const),
      ...(['may_isolate', 'position', 'weekly', 'every_week', 'sms', 'phone_number_verified', 'phone_verified_time'] as const),
    ],
    secret: ['key_version'],
    guardians_own: ['phone_number'],
  },
  device_tokens: {
    title: 'Keys of computers',
    owned: (account) => sql`account = ${account.uuid} or device in ${idsOf('devices', account)}`,
    shown: ['device', 'created', 'account', 'removed'],
    secret: ['token_hash'],
    outlasts: 'An agent learns by its key that its computer was removed (P3.6); the row names neither account nor computer any more.',
  },
  devices: {
    title: 'Computers',
    owned: byAccount,
    shown: [
      ...(['uuid', 'account', 'name', 'policy', 'policy_version', 'info', 'created', 'installed', 'last_seen'] as const),
      ...(['last_detection', 'protecting', 'strict_until', 'leaves', 'resume', 'person', 'person_set'] as const),
      ...(['days_seen', 'unknown_to'] as const),
    ],
    secret: ['enrol_id'],
  },
  custom_policies: { title: 'Protection profiles', owned: byAccount, shown: ['uuid', 'account', 'name', 'actions', 'created'] },
  renames: { title: 'Names that were changed', owned: byAccount, shown: ['kind', 'id', 'account', 'before', 'after', 'time'] },
  activity_log: {
    title: 'Activity log',
    owned: byAccount,
    shown: [
      ...(['uuid', 'account', 'kind', 'device', 'device_name', 'what', 'before', 'actor', 'time', 'received'] as const),
      ...(['notified', 'counted', 'exempt'] as const),
    ],
  },
  fire_drills: { title: 'Practice alarms', owned: byAccount, shown: ['uuid', 'account', 'time'] },
  browsing_protection: {
    title: 'Settings of browsing',
    owned: byAccount,
    shown: ['account', 'browsers', 'resolver', 'notification_origins', 'resolver_chosen'],
  },
  alert_settings: {
    title: 'Settings of alerts',
    owned: byAccount,
    shown: ['account', 'notify_after_days', 'weekly', 'every_week', 'mail', 'sms'],
  },
  unlisted_protection: {
    title: 'Settings of what is on no list',
    owned: byAccount,
    shown: ['account', 'pasted_commands', 'new_programs', 'doors', 'money_pages', 'money_sites', 'money_open'],
  },
  hold_settings: {
    title: 'Settings of changes that wait',
    owned: byAccount,
    shown: ['account', 'ask_first', 'first_connected', 'guardian_gone'],
  },
  support_details: {
    title: 'Own support',
    owned: byAccount,
    shown: ['account', 'email', 'phone', 'title', 'description', 'exclusive', 'link', 'linktext'],
  },
  sessions: {
    title: 'Browsers that are logged in',
    owned: byAccount,
    shown: ['uuid', 'account', 'browser', 'created', 'last_used', 'password_time', 'proof', 'opened_by'],
    secret: ['token_hash'],
  },
  passkeys: {
    title: 'Passkeys',
    owned: byAccount,
    shown: ['uuid', 'account', 'transports', 'name', 'created', 'last_used'],
    secret: ['credential_id', 'public_key', 'counter'],
  },
  authenticators: {
    title: 'Authenticator app',
    owned: byAccount,
    shown: ['account', 'created', 'former_created', 'former_until'],
    secret: ['sealed_secret', 'last_step', 'setup', 'former_secret', 'former_last_step', 'former_setup'],
  },
  recovery_codes: { title: 'Unused recovery codes', owned: byAccount, shown: ['account', 'created'], secret: ['code_hash'] },
  account_deletions: { title: 'Deletion of the account', owned: byAccount, shown: ['account', 'asked', 'deletes'] },
  known_browsers: { title: 'Known browsers', owned: byAccount, shown: ['account', 'created'], secret: ['token_hash'] },
  known_networks: { title: 'Known networks', owned: byAccount, shown: ['account', 'used'], secret: ['network_hash'] },
  email_links: {
    title: 'Links in emails',
    owned: byAccount,
    shown: ['account', 'purpose', 'email', 'created', 'expires', 'used', 'about'],
    secret: ['token_hash'],
  },
  phone_codes: {
    title: 'Codes to the phone',
    owned: byAccount,
    shown: ['account', 'phone_number', 'expires', 'tries'],
    secret: ['code_hash'],
  },
  payment_doubts: { title: 'Doubts about the plan', owned: byAccount, shown: ['account', 'since', 'believed'] },
  payment_events: {
    title: 'Events of payments',
    owned: ({ uuid }) => sql`customer = (select id from customers where account = ${uuid})`,
    shown: ['id', 'type', 'customer', 'created', 'received'],
  },
  checkouts: { title: 'Payment pages', owned: byAccount, shown: ['id', 'account', 'price', 'promo', 'created', 'done_at'] },
  subscriptions: {
    title: 'Plans',
    owned: byAccount,
    shown: [
      ...(['id', 'account', 'status', 'price', 'plan', 'amount', 'interval', 'device_limit', 'created'] as const),
      ...(['trial_end', 'period_end', 'ends', 'ended_at', 'invoice'] as const),
    ],
  },
  customers: { title: 'Customer at Stripe', owned: byAccount, shown: ['account', 'id', 'asked', 'written', 'polled'] },
  accounts: {
    title: 'Account',
    owned: ({ uuid }) => sql`uuid = ${uuid}`,
    shown: [
      ...(['uuid', 'name', 'email', 'email_verified', 'pending_email', 'device_limit', 'created', 'phone_number'] as const),
      ...(['phone_number_verified', 'phone_verified_time', 'external', 'lifetime', 'register_promo_code'] as const),
    ],
    secret: ['password_hash', 'sealed_pin'],
  },

  budgets: { nobodys: 'Texts of a day, counted together.' },
  buckets: { nobodys: 'Unknown codes, counted together.' },
  used_passkey_questions: { nobodys: 'Random numbers, without an account, for five minutes.' },
  used_authenticator_setups: { nobodys: 'Random numbers, without an account, for 15 minutes.' },
  code_callers: { nobodys: 'By network, without an account, for a day.' },
  signup_codes: { nobodys: 'Of those who give them away; nothing says who used one.' },
  wrong_matches: { nobodys: 'What was matched, without who reported it.' },
  definition_sets: { nobodys: definitions },
  feed_keys: { nobodys: definitions },
  feed_parts: { nobodys: definitions },
  site_lists: { nobodys: definitions },
  upstream_sets: { nobodys: definitions },
  upstream_feeds: { nobodys: definitions },
  server_keys: { nobodys: server },
  server_uptime: { nobodys: server },
  listening: { nobodys: server },
  carriers_away: { nobodys: server },
  operator_problems: { nobodys: server },
  unreadable_callers: { nobodys: server },
  last_backup: { nobodys: server },
  payment_account: { nobodys: server },
  simulator_items: { nobodys: simulators },
  shared_documents: { nobodys: simulators },
};

/** A table with rows of accounts. */
export interface AccountTable extends Pick<OwnedTable<keyof Tables>, 'title' | 'owned' | 'outlasts'> {
  name: keyof Tables;
  shown: string[];
  secret?: string[];
  guardians_own?: string[];
}

/** In the order of deletion. */
export const accountTables: AccountTable[] = Object.entries(accountData).flatMap(([name, data]) =>
  'nobodys' in data ? [] : [{ ...data, name: name as keyof Tables }],
);
