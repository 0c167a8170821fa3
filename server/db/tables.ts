import type { ActivityKind, StateBeforeActivity } from '@porchlight/contract/activity-log.ts';
import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { OutageDays } from '@porchlight/contract/alert-settings.ts';
import type { Channel, DeliveryState } from '@porchlight/contract/alerts.ts';
import type { AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { PolicyActions, PolicyId } from '@porchlight/contract/policies.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import type { Certainty, DetectionCategory, PinHash, SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import type { UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { DeviceHealthTables } from './device-health-tables.ts';
import type { EmergencyTables } from './emergency-tables.ts';
import type { IncidentTables } from './incident-tables.ts';
import type { ReachTables } from './reach-tables.ts';
import type { SignInTables } from './sign-in-tables.ts';

type Json<T extends object> = JSONColumnType<T>;
/** Null when an insert leaves it out. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface Tables extends DeviceHealthTables, IncidentTables, EmergencyTables, ReachTables, SignInTables {
  server_keys: { purpose: string; public_key: string; sealed_private_key: string };
  rate_counts: { key: string; count: number; ends: Date };
  /** `day`: in UTC, `2026-11-22`. `notified_percent`: the threshold of the operator's last notification. */
  budgets: { name: string; day: string; spent: number; notified_percent: Generated<number> };
  /** Leaky buckets, filled to `level` at `time`. */
  buckets: { name: string; level: number; time: Date };
  /** Callers of unknown codes. `unknown`: how many. `ready`: when the caller's next code is checked despite a flood. */
  code_callers: { caller: string; unknown: Generated<number>; ready: Nullable<Date>; ends: Date };

  accounts: {
    uuid: string;
    name: string;
    email: string;
    email_verified: Generated<boolean>;
    /** Not confirmed yet (P2.4). */
    pending_email: Nullable<string>;
    password_hash: string;
    device_limit: number;
    created: Date;
    /** E.164. */
    phone_number: Nullable<string>;
    phone_number_verified: Generated<boolean>;
    /** Null of a number that was verified before this was stored. */
    phone_verified_time: Nullable<Date>;
    sealed_pin: Nullable<string>;
    external: Generated<boolean>;
    lifetime: Generated<boolean>;
    register_promo_code: Nullable<string>;
  };
  /** `password_time`: when the password or a passkey last proved the holder in this session. `proof`: the passkey's id, or null of the password. `opened_by`: that of the login. */
  sessions: {
    token_hash: Buffer;
    uuid: string;
    account: string;
    browser: string;
    created: Date;
    last_used: Date;
    password_time: Nullable<Date>;
    proof: Nullable<string>;
    opened_by: Nullable<string>;
  };
  known_browsers: { account: string; token_hash: Buffer; created: Date };
  known_networks: { account: string; network_hash: Buffer; used: Date };
  phone_codes: { account: string; phone_number: string; code_hash: Buffer; expires: Date; tries: Generated<number> };
  /** `by_key`: they pressed 9 in a call, of which the carrier of our texts knows nothing. */
  phone_opt_outs: { phone_number: string; since: Date; by_key: Generated<boolean> };
  support_details: {
    account: string;
    email: Nullable<string>;
    phone: Nullable<string>;
    title: Nullable<string>;
    description: Nullable<string>;
    exclusive: boolean;
    link: Nullable<string>;
    linktext: Nullable<string>;
  };
  /** Given away by a third party, such as a bank to its clients. `note`: who gets the code. */
  signup_codes: {
    uuid: string;
    code: string;
    note: string;
    device_limit: number;
    external: boolean;
    lifetime: boolean;
    max_uses: number;
    uses: Generated<number>;
    expires: Nullable<Date>;
    created: Date;
  };
  email_links: {
    token_hash: Buffer;
    account: string;
    purpose: 'confirm' | 'reset' | 'change' | 'undo' | 'keep' | 'remove';
    email: string;
    /** The way to log in that the link removes. */
    about: Nullable<string>;
    created: Date;
    expires: Date;
    used: Nullable<Date>;
  };

  devices: {
    uuid: string;
    account: string;
    name: string;
    policy: PolicyId;
    policy_version: Generated<number>;
    info: ColumnType<AgentInfo | null, string | null | undefined, string | null>;
    created: Date;
    installed: Nullable<Date>;
    last_seen: Nullable<Date>;
    last_detection: Nullable<Date>;
    protecting: Generated<boolean>;
    /** `strict_until`: the strict profile applies at least until then. `leaves`: when the device leaves the account (P10.8). */
    strict_until: Nullable<Date>;
    leaves: Nullable<Date>;
    /** Changes each time the holder ends the pauses of this device remotely. */
    resume: Nullable<string>;
    /** Id of the enrolment attempt; null once the agent has called, or when the agent gave no id. */
    enrol_id: Nullable<string>;
    /** The device's user, and when that was last set. */
    person: ColumnType<Person | null, string | null | undefined, string | null>;
    person_set: Nullable<Date>;
    /** On how many days (UTC) its agent called. */
    days_seen: Generated<number>;
    /** The guardian whose answer was *I don’t know it*, also after their removal (P18.2). */
    unknown_to: Nullable<string>;
  };
  device_codes: { code: string; device: string; nonce: string; created: Date; expires: Date; used: Nullable<Date> };
  /**
   * A token stays stored after the removal of its device, so that the agent learns of it (P3.6). `account`, `removed`: from which account
   * the device was removed, and when; null before its removal, and for removals before these columns.
   */
  device_tokens: { token_hash: Buffer; device: string | null; created: Date; account: Nullable<string>; removed: Nullable<Date> };
  /** `sealed_pin`: the Admin PIN that was hashed. */
  device_pins: { device: string; sealed_pin: string; hash: Json<PinHash> };
  /** How long a device was connected since its enrolment, counted up to an hour. */
  device_use: { device: string; connected_ms: number; last: Date };
  /** Ids of agents' reports, so that each report is stored once. `time`: of receipt, since a device's clock may be wrong. */
  /** `kind`: of events that are counted; null for all others. */
  device_reports: { device: string; uuid: string; time: Date; kind: Nullable<string>; site: Nullable<string> };

  /** `catalogue`, `sites`: the SHA-256 of the parts; `sites` is null without a list. */
  definition_sets: {
    version: number;
    content_hash: string;
    document: Json<SignedDocument>;
    issued: Date;
    expires: Date;
    catalogue: string;
    sites: Nullable<string>;
  };
  /** `epoch`: a bigint, which the library pg returns as text. */
  feed_keys: { version: number; epoch: ColumnType<string, number, number>; document: Json<SignedDocument>; expires: Date };
  feed_parts: { sha256: string; bytes: Buffer; created: Date };
  /** Sets of the project's feed that were taken. `shipped`: SHA-256 of what this server shipped with then. */
  upstream_sets: {
    root: string;
    epoch: number;
    version: number;
    feed: Json<SignedFeed>;
    catalogue: Buffer;
    sites: Nullable<Buffer>;
    shipped: string;
    taken: Date;
    taken_back: Nullable<Date>;
  };
  /** The last fetch from each address. `refused`, `accepted`: SHA-256 of the signed text of a set that was refused for its content. */
  upstream_feeds: {
    url: string;
    etag: Nullable<string>;
    fetched: Nullable<Date>;
    tried: Date;
    problem: Nullable<string>;
    refused: Nullable<string>;
    accepted: Nullable<string>;
  };
  /** The last valid state of each list. `names`: gzipped JSON. `problem`: why the last fetch failed. */
  site_lists: {
    url: string;
    etag: Nullable<string>;
    last_modified: Nullable<string>;
    names: Nullable<Buffer>;
    count: number;
    fetched: Nullable<Date>;
    tried: Date;
    problem: Nullable<string>;
  };

  detections: {
    uuid: string;
    device: string;
    account: string;
    time: Date;
    received: Date;
    name: string;
    identifier: string;
    category: DetectionCategory;
    details: string;
    blocked: boolean;
    certainty: Certainty;
    /** The evidence of the match, as `field=value, field=value`. */
    why: Generated<string>;
    /** The first detection of the same alert (P5.3); null for the first detection itself. */
    counted_into: Nullable<string>;
    /** How a quiet alert is emailed (P15.9); null for every other one. `waiting`: with others, later; `together`: it was. */
    quiet: Nullable<'alone' | 'waiting' | 'together'>;
  };

  /**
   * `waits_entry`: its program was started too early and waits for a yes; the activity-log entry of its addition. `refused`: the time of a
   * no, by the first name `refused_by`; the row stays until the holder removes it.
   */
  allow_list: {
    id: string;
    device: string;
    type: AllowListEntryType;
    identifier: string;
    added: Date;
    until: Nullable<Date>;
    waits_entry: Nullable<string>;
    refused: Nullable<Date>;
    refused_by: Nullable<string>;
  };
  /** Names that messages do not follow yet (P18.1). `id`: of the device, profile or account. */
  renames: { kind: 'device' | 'profile' | 'holder'; id: string; account: string; before: string; after: string; time: Date };
  custom_policies: { uuid: string; account: string; name: string; actions: Json<PolicyActions>; created: Date };
  free_downloads: { email: string; agreed: Date };

  guardians: {
    uuid: string;
    account: string;
    name: string;
    email: string;
    key_version: Generated<number>;
    invited: Date;
    accepted: Nullable<Date>;
    declined: Nullable<Date>;
    /** When an active guardian left. */
    left_at: Nullable<Date>;
    mail: Generated<boolean>;
    weekly: Generated<boolean>;
    /** Whether the weekly report of a quiet week comes too (P15.6). */
    every_week: Generated<boolean>;
    /** When the guardian unsubscribed from emails in an incident, which ends them after it. */
    mail_ends: Nullable<Date>;
    /** Whether this guardian may cut the internet; null: only at a computer of someone else than the holder (P10.6). */
    may_isolate: Nullable<boolean>;
    /** The place in the order in which guardians are called (P11.1); null: after those with a place, the longest known first. */
    position: Nullable<number>;
    sms: Generated<boolean>;
    phone_number: Nullable<string>;
    phone_number_verified: Generated<boolean>;
    phone_verified_time: Nullable<Date>;
  };
  guardian_sessions: {
    token_hash: Buffer;
    guardian: string;
    key_version: number;
    created: Date;
    uuid: Generated<string>;
    browser: Generated<string>;
    last_used: Generated<Date>;
  };

  /** `asked`: the number of the last request to the payment service; `written`: that of the request whose answer is stored; `polled`: when a waiting user last caused one. */
  customers: { account: string; id: string; asked: Generated<number>; written: Generated<number>; polled: Nullable<Date> };
  /** The payment service's last reply. `amount`: in cents. `ends`: the end without another payment; null while the plan renews. */
  subscriptions: {
    id: string;
    account: string;
    status: string;
    price: string;
    plan: string;
    amount: number;
    interval: 'month' | 'year';
    device_limit: number;
    created: Date;
    trial_end: Nullable<Date>;
    period_end: Date;
    ends: Nullable<Date>;
    ended_at: Nullable<Date>;
    invoice: Nullable<string>;
  };
  /** Opened payment pages. `done_at`: from then on nobody can pay on the page, or waits for it. */
  checkouts: { id: string; account: string; price: string; promo: Nullable<string>; created: Date; done_at: Nullable<Date> };
  payment_events: { id: string; type: string; customer: Nullable<string>; created: Date; received: Date };

  /** Without a row the defaults apply. */
  alert_settings: { account: string; notify_after_days: OutageDays; weekly: boolean; every_week: boolean; mail: boolean; sms: boolean };
  /** Without a row the defaults apply. */
  browsing_protection: BrowsingProtection & { account: string };
  /** Without a row the defaults apply. */
  unlisted_protection: UnlistedProtection & { account: string };
  /** Intervals in which the server was up, without overlap. Only they count towards the outage of a device. */
  server_uptime: { since: Date; until: Date };
  fire_drills: { uuid: string; account: string; time: Date };
  /**
   * Names as they were. `actor`: null for somebody at the device. `repeated`: not notified, as a repeat. `later`: to be notified in one
   * email with others. `together`: already in such an email.
   */
  activity_log: {
    uuid: string;
    account: string;
    kind: ActivityKind;
    device: Nullable<string>;
    device_name: Nullable<string>;
    what: Nullable<string>;
    /** Null if nothing can be undone. */
    before: ColumnType<StateBeforeActivity | null, string | null | undefined, string | null>;
    actor: Nullable<string>;
    time: Date;
    /** When the server received the report; later than `time` if the computer was offline. */
    received: Date;
    /**
     * `by_itself`: severe, notified separately. `flood`: notified with the alarm about too many activities. Other values are for mild
     * activities.
     */
    notified: 'at_once' | 'by_itself' | 'flood' | 'repeated' | 'later' | 'together';
    /** Equal activities have the same key; null of what does not count as the second one within an hour (P9.1). */
    counted: Nullable<string>;
    /** Done by the holder of somebody else's computer, who is elsewhere: it counts towards the second one, and not as a permission (P18.2). */
    exempt: Generated<boolean>;
  };

  scans: { uuid: string; device: string; time: Date; received: Date; items: Json<ScanItem[]> };

  jobs: {
    id: string;
    kind: string;
    payload: Json<object>;
    unique_key: string;
    run_at: Date;
    attempts: Generated<number>;
    created: Date;
    done_at: Nullable<Date>;
    failed_at: Nullable<Date>;
    last_error: Nullable<string>;
    /** By carrier and urgency: `mail_urgent` … (`jobs/lanes.ts`). */
    lane: string;
    /** Domain of the recipient; for an SMS, the number. */
    domain: Nullable<string>;
    /** When the carrier first refused this very job. */
    failing_since: Nullable<Date>;
    /** One word: why the job is a dead letter. */
    why: Nullable<string>;
    /** The id of the call that queued it, or that queued the job that queued it; null for the server's own work. */
    request_id: Nullable<string>;
  };
  /** Carriers that accept no messages now. `reason`: for the operator. */
  carriers_away: { carrier: string; since: Date; tried: Date; reason: string };
  /**
   * Problems of the whole service, or of one computer of it. `since`: the first bad reading. `notified`: when the operator was notified of it.
   * `good_since`: the first good reading after that. `facts`: JSON.
   */
  operator_problems: { key: string; since: Date; notified: Nullable<Date>; good_since: Nullable<Date>; facts: string };
  /** One row: the newest header of a proxy whose address could not be read, as it came (P18.3). */
  unreadable_callers: { only_one: Generated<boolean>; header: string; time: Date };
  /** One row: the newest backup that the command made. */
  last_backup: { id: Generated<number>; made: Date };

  /** `key`: of the job. `time`: of the state. `why`: the reason for not sending. `carrier`: the telephone network's last status. */
  deliveries: {
    key: string;
    account: string;
    kind: string;
    about: string;
    guardian: Nullable<string>;
    name: string;
    channel: Channel;
    state: Generated<DeliveryState>;
    tries: Generated<number>;
    time: Date;
    why: Nullable<string>;
    carrier: Nullable<string>;
  };

  guardian_phone_codes: { guardian: string; phone_number: string; code_hash: Buffer; expires: Date; tries: Generated<number> };
  guardian_visits: { guardian: string; time: Date };
  /** Guardians' acknowledgements. `name`: at that time. */
  alerts_seen: { account: string; alert: string; guardian: string; name: string; time: Date };

  /** JSON that all servers on this database share. `version`: incremented by each change. */
  shared_documents: { name: string; version: number; content: string };
  /** Emails and SMS in the simulators, under ids that sort by time. */
  simulator_items: { id: string; kind: string; content: Buffer };
  payment_account: { only_one: Generated<boolean>; id: string; livemode: boolean; since: Date };
  /** Accounts whose plan the payment service unexpectedly does not know. `believed`: confirmed by the operator. */
  payment_doubts: { account: string; since: Date; believed: Generated<boolean> };
}
