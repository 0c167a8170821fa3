import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { Channel, DeliveryState } from '@porchlight/contract/alerts.ts';
import type { ActBefore, ActKind, SilenceDays } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { ExceptionType } from '@porchlight/contract/exceptions.ts';
import type { PolicyActions, PolicyId } from '@porchlight/contract/policies.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import type { Category, Certainty, PinHash, SignedDocument } from '@porchlight/contract/shapes.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { AnswerTables } from './answer-tables.ts';
import type { DeviceHealthTables } from './device-health-tables.ts';

/** The tables as TypeScript sees them; `migrations/` is what makes them. Each is written by one store only. */

type Json<T extends object> = JSONColumnType<T>;
/** Filled in by the database when left out. */
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface Tables extends DeviceHealthTables, AnswerTables {
  server_keys: { purpose: string; public_key: string; sealed_private_key: string };
  rate_counts: { key: string; count: number; ends: Date };
  /** `day`: in UTC, `2026-11-22`. `notified_percent`: at how many percent the operator was notified last. */
  budgets: { name: string; day: string; spent: number; notified_percent: Generated<number> };
  /** Leaky buckets: how full one was at `time`. */
  buckets: { name: string; level: number; time: Date };
  /** Who typed codes: how many of them nobody knew, and from when on one more is looked up although there is a flood. */
  code_callers: { caller: string; unknown: Generated<number>; ready: Maybe<Date>; ends: Date };

  accounts: {
    uuid: string;
    name: string;
    email: string;
    email_verified: Generated<boolean>;
    /** Entered and not confirmed yet (P2.4). */
    pending_email: Maybe<string>;
    password_hash: string;
    device_limit: number;
    created: Date;
    /** E.164. */
    phone_number: Maybe<string>;
    phone_number_verified: Generated<boolean>;
    sealed_pin: Maybe<string>;
    external: Generated<boolean>;
    lifetime: Generated<boolean>;
    register_promo_code: Maybe<string>;
  };
  sessions: { token_hash: Buffer; uuid: string; account: string; browser: string; created: Date; last_used: Date };
  known_browsers: { account: string; token_hash: Buffer; created: Date };
  known_networks: { account: string; network_hash: Buffer; used: Date };
  phone_codes: { account: string; phone_number: string; code_hash: Buffer; expires: Date; tries: Generated<number> };
  phone_opt_outs: { phone_number: string; since: Date };
  support_details: {
    account: string;
    email: Maybe<string>;
    phone: Maybe<string>;
    title: Maybe<string>;
    description: Maybe<string>;
    exclusive: boolean;
    link: Maybe<string>;
    linktext: Maybe<string>;
  };
  /** What someone else gives away: a bank to its clients, an employer to their people. `note`: to whom it was given. */
  signup_codes: {
    uuid: string;
    code: string;
    note: string;
    device_limit: number;
    external: boolean;
    lifetime: boolean;
    max_uses: number;
    uses: Generated<number>;
    expires: Maybe<Date>;
    created: Date;
  };
  email_links: {
    token_hash: Buffer;
    account: string;
    purpose: 'confirm' | 'reset' | 'change' | 'undo';
    email: string;
    created: Date;
    expires: Date;
    used: Maybe<Date>;
  };

  devices: {
    uuid: string;
    account: string;
    name: string;
    policy: PolicyId;
    policy_version: Generated<number>;
    info: ColumnType<AgentInfo | null, string | null | undefined, string | null>;
    created: Date;
    installed: Maybe<Date>;
    last_seen: Maybe<Date>;
    last_detection: Maybe<Date>;
    protecting: Generated<boolean>;
    /** Until when nothing weaker than strict is in force there, and when it leaves the account, as its agent said last (P10.8). */
    strict_until: Maybe<Date>;
    leaves: Maybe<Date>;
    /** Another one each time the holder ended the pauses of this device from afar. */
    resume: Maybe<string>;
    /** What its agent called the attempt; null once it was heard, or when it gave none. */
    enrol_id: Maybe<string>;
    /** Who uses it, and when that was said last: null until it was said. */
    person: ColumnType<Person | null, string | null | undefined, string | null>;
    person_set: Maybe<Date>;
  };
  device_codes: { code: string; device: string; nonce: string; created: Date; expires: Date; used: Maybe<Date> };
  /** A token outlives its device, so that the agent can be told that it was removed (P3.6). */
  device_tokens: { token_hash: Buffer; device: string | null; created: Date };
  /** `sealed_pin`: of which Admin PIN the hash is. */
  device_pins: { device: string; sealed_pin: string; hash: Json<PinHash> };
  /** How long a device was connected since it was enrolled, counted until that is an hour. */
  device_use: { device: string; connected_ms: number; last: Date };
  /** What agents told, by the id that they gave it: each is taken once. */
  device_news: { device: string; uuid: string; time: Date };

  /** `catalogue`, `sites`: the SHA-256 of the parts; null for sets of before there were parts. */
  definition_sets: {
    version: number;
    content_hash: string;
    document: Json<SignedDocument>;
    issued: Date;
    expires: Maybe<Date>;
    catalogue: Maybe<string>;
    sites: Maybe<string>;
  };
  /** `epoch`: a bigint, which comes as text. */
  feed_keys: { version: number; epoch: ColumnType<string, number, number>; document: Json<SignedDocument>; expires: Date };
  feed_parts: { sha256: string; bytes: Buffer; created: Date };
  /** The last good state of each list that is fetched. `names`: JSON, gzipped. `problem`: why the newest try brought nothing; null when it did. */
  site_lists: {
    url: string;
    etag: Maybe<string>;
    last_modified: Maybe<string>;
    names: Maybe<Buffer>;
    count: number;
    fetched: Maybe<Date>;
    tried: Date;
    problem: Maybe<string>;
  };

  detections: {
    uuid: string;
    device: string;
    account: string;
    time: Date;
    received: Date;
    name: string;
    identifier: string;
    category: Category;
    details: string;
    blocked: boolean;
    certainty: Certainty;
    /** The detection that opened the alert into which this one is counted (P5.3); null for one that opened an alert itself. */
    counted_into: Maybe<string>;
  };

  allow_list: { id: string; device: string; type: ExceptionType; identifier: string; added: Date; until: Maybe<Date> };
  custom_policies: { uuid: string; account: string; name: string; actions: Json<PolicyActions>; created: Date };
  free_downloads: { email: string; agreed: Date };

  guardians: {
    uuid: string;
    account: string;
    name: string;
    email: string;
    key_version: Generated<number>;
    invited: Date;
    accepted: Maybe<Date>;
    /** Said no to this invitation. */
    declined: Maybe<Date>;
    /** Was active, and stopped of their own will. */
    left_at: Maybe<Date>;
    /** Wants mails, and texts. */
    mail: Generated<boolean>;
    sms: Generated<boolean>;
    /** E.164. */
    phone_number: Maybe<string>;
    phone_number_verified: Generated<boolean>;
  };
  /** A browser in which a guardian's page is open. `browser`: in words. */
  guardian_sessions: {
    token_hash: Buffer;
    guardian: string;
    key_version: number;
    created: Date;
    uuid: Generated<string>;
    browser: Generated<string>;
    last_used: Generated<Date>;
  };

  /** An account at the payment service. `asked` and `written` number the questions about it; `polled`: when someone who waits last made us ask. */
  customers: { account: string; id: string; asked: Generated<number>; written: Generated<number>; polled: Maybe<Date> };
  /** What the payment service last said. `amount`: cents. `ends`: when it ends without being paid again; null while it renews. */
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
    trial_end: Maybe<Date>;
    period_end: Date;
    ends: Maybe<Date>;
    ended_at: Maybe<Date>;
    /** The newest one. */
    invoice: Maybe<string>;
  };
  /** Payment pages that were opened. `done_at`: from then on nobody can pay there, or need wait for it. */
  checkouts: { id: string; account: string; price: string; promo: Maybe<string>; created: Date; done_at: Maybe<Date> };
  /** Events that were dealt with. */
  payment_events: { id: string; type: string; customer: Maybe<string>; created: Date; received: Date };

  /** What the holder wants to hear; no row while nobody chose otherwise. */
  alert_settings: { account: string; silence_days: SilenceDays; weekly: boolean; mail: boolean; sms: boolean };
  /** Intervals in which the server was up; they do not overlap. Only they count as silence of a device. */
  server_uptime: { since: Date; until: Date };
  fire_drills: { uuid: string; account: string; time: Date };
  /**
   * The activity log: what weakened protection, with the names that things had then. `actor`: null when somebody at the device did it.
   * `notified`: how people hear of it. At once; not again, as a repetition; later, in one email with others; and then as one of those.
   */
  activity_log: {
    uuid: string;
    account: string;
    kind: ActKind;
    device: Maybe<string>;
    device_name: Maybe<string>;
    what: Maybe<string>;
    /** What taking it back needs to know; null where that is nothing. */
    before: ColumnType<ActBefore | null, string | null | undefined, string | null>;
    actor: Maybe<string>;
    time: Date;
    /** When we heard of it; the same as `time`, unless it was done at a computer that could not tell it. */
    received: Date;
    /** `by_itself`: severe, so in a message of its own. `flood`: with the alarm that there are too many. The others are mild. */
    notified: 'at_once' | 'by_itself' | 'flood' | 'repeated' | 'later' | 'together';
  };

  /** What lay on devices when the agent looked around. */
  scans: { uuid: string; device: string; time: Date; received: Date; items: Json<ScanItem[]> };

  jobs: {
    id: string;
    kind: string;
    payload: Json<object>;
    unique_key: string;
    run_at: Date;
    attempts: Generated<number>;
    created: Date;
    done_at: Maybe<Date>;
    failed_at: Maybe<Date>;
    last_error: Maybe<string>;
    /** By whom it is carried and how urgent it is: `mail_urgent` … (`jobs/lanes.ts`). */
    lane: string;
    /** Of the recipient; a text's is its number. */
    domain: Maybe<string>;
    /** When the carrier refused this very job first. */
    failing_since: Maybe<Date>;
    /** One word: why it is a dead letter. */
    why: Maybe<string>;
  };
  /** Who takes nothing now: the mail server or the telephone network. `reason`: for an operator, in words. */
  carriers_away: { carrier: string; since: Date; tried: Date; reason: string };

  /** Who was told of what by what. `key`: of the job. `time`: of the state; `why`: it is not sent; `carrier`: what the telephone network said last. */
  deliveries: {
    key: string;
    account: string;
    kind: string;
    about: string;
    /** Null for the holder. */
    guardian: Maybe<string>;
    name: string;
    channel: Channel;
    state: Generated<DeliveryState>;
    tries: Generated<number>;
    time: Date;
    why: Maybe<string>;
    carrier: Maybe<string>;
  };
  guardian_weekly_offs: { guardian: string; since: Date };

  guardian_phone_codes: { guardian: string; phone_number: string; code_hash: Buffer; expires: Date; tries: Generated<number> };
  guardian_visits: { guardian: string; time: Date };
  /** Who said *I'm on it*. `name`: as it was then. */
  alerts_seen: { account: string; alert: string; guardian: string; name: string; time: Date };

  /** JSON that all servers on this database share, each with the number of its changes. */
  shared_documents: { name: string; version: number; content: string };
  /** What the simulators took, by names that sort by time. */
  kept_items: { id: string; kind: string; content: Buffer };
  /** Whose plans these are at the payment service: one row at most. */
  payment_account: { only_one: Generated<boolean>; id: string; livemode: boolean; since: Date };
  /** Accounts of whose plan the payment service suddenly knows nothing. `believed`: the operator said that it is so. */
  payment_doubts: { account: string; since: Date; believed: Generated<boolean> };
}
