import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import type { UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import type { RawBuilder } from 'kysely';
import type { Db, Trx } from './db/open.ts';
import type { CallContent, WeakeningCall } from './http/weakening-call.ts';
import type { HoldDetails } from './lib/errors.ts';
import type { DefinitionHelp } from './notifications/render/alert-wording.ts';
import type { Notification } from './notifications/render/render.ts';

/** Types of the functions that features call in each other; `app.ts` passes the functions. */

/** Queues a notification in `trx`, once for each person and channel (P5.4). */
export type Notify = (trx: Trx, account: string, notification: Notification) => Promise<void>;

/** `time`: perhaps long before the server received it. `over`: the activity has ended, such as a pause. */
export interface AtDevice {
  time: Date;
  over?: boolean;
}

/** Logs an activity that has happened, and queues its notifications in the same transaction. `by`: the doer's name, if not the holder. */
export type WeakeningLog = (
  trx: Trx,
  account: string,
  activity: WeakeningActivity,
  context?: { at?: AtDevice; by?: string },
) => Promise<string>;

/**
 * Runs a call that may weaken protection in a transaction. `weaken` logs an activity and queues its notifications. Once `work` has ended,
 * the gate decides about all its activities together: if the call waits for a yes, nothing of it has happened and the answer is `held` (P10.1).
 * `limited`: a yes lets this call through, so that what it allows lasts an hour at most.
 */
export type WeakeningGate = <T>(
  call: WeakeningCall,
  work: (trx: Trx, weaken: (activity: WeakeningActivity) => Promise<void>, passing: { limited: boolean }) => Promise<T>,
) => Promise<T>;

/** An activity and the id of its entry in the activity log. */
export interface LoggedActivity {
  activity: WeakeningActivity;
  entry: string;
}

/** A call that does not pass. `device`: the device that the call is about. */
export interface RefusedCall {
  account: string;
  content: CallContent;
  mac: Buffer;
  logged: LoggedActivity[];
  decision: {
    cause: 'incident' | 'second_act' | 'ask_first' | 'helped_twice';
    rule: 'hour' | 'day';
    opens: boolean;
    needs_password: boolean;
  };
  incident: string | null;
  device: { uuid: string; name: string } | null;
}

export interface HoldingGate {
  /** Locks the account's weakening calls. `settle` decides; null lets the call pass. */
  begin(
    trx: Trx,
    call: WeakeningCall,
  ): Promise<{
    limited: boolean;
    /** Whether a start that this makes possible waits for a yes for an hour, if the call passes (P9.1). */
    asks(activity: WeakeningActivity): boolean;
    settle(logged: LoggedActivity[]): Promise<RefusedCall | null>;
  }>;
  /** Stores the request of a refused call and asks the guardians, in a transaction of its own. Throws `hold_limit`. */
  ask(refused: RefusedCall): Promise<HoldDetails>;
  /**
   * Somebody at a computer asks for what was stopped: opens an incident, and asks the guardians (P9.1). False where nobody was asked. The caller has
   * locked the device.
   */
  requested(trx: Trx, account: string, activity: WeakeningActivity, time: Date): Promise<boolean>;
  /** An activity that a device reported, which may open an incident (P9.1). The caller has locked the device. */
  reported(trx: Trx, account: string, logged: LoggedActivity, time: Date): Promise<void>;
}

/** When the password or a passkey last proved the holder. `passkey_created`: when that passkey was added; null: it was the password. */
export interface SessionProof {
  time: Date;
  passkey_created: Date | null;
}

/** The newest proof in a session; null if there is none, or if its passkey was removed since. */
export type SessionProofLookup = (session: string, connection?: Db | Trx) => Promise<SessionProof | null>;

/**
 * Where the password is asked again (5.16), it or a passkey proves the holder (P13.1). Throws `password_wrong`, `passkey_wrong`, `too_many`, and
 * `invalid_input` without both. Attempts are counted together. Returns by which passkey; null: by the password, which counts if both are given.
 */
export type ProveHolder = (account: { uuid: string; password_hash: string }, given: HolderProof) => Promise<{ passkey: string | null }>;

/** Call it before a device, profile or account gets another name (P18.1). */
export type NoteRename = (trx: Trx, kind: 'device' | 'profile' | 'holder', uuid: string, name: string) => Promise<void>;

export type NameLookup = (account: string, trx?: Trx) => Promise<string>;

export type AlertUrl = (trx: Trx, account: string, alert: string) => Promise<string>;

export type DeliveryLookup = (account: string, kind: 'alert' | 'drill', about: string[]) => Promise<Map<string, NotificationDelivery[]>>;

export type DefinitionHelpLookup = (identifiers: string[]) => Promise<Map<string, DefinitionHelp>>;

/** For the words of messages: who uses the device, and its time zone. Without a device: the zone of the device that was seen last. */
export type DeviceWords = (
  connection: Db | Trx,
  account: string,
  device: string | null,
) => Promise<{ person: Person | null; time_zone: string }>;

/** What features read and lock of devices. A device is locked before its incident, so that no two transactions wait for each other. */
export interface DeviceRows {
  lockDevice(trx: Trx, uuid: string): Promise<unknown>;
  lockDevices(trx: Trx, account: string): Promise<{ uuid: string }[]>;
  deviceWords: DeviceWords;
}

export type DeviceOwnership = (account: string, device: string) => Promise<boolean>;

export type BrowsingProtectionLookup = (account: string) => Promise<BrowsingProtection>;

export type UnlistedProtectionLookup = (account: string) => Promise<UnlistedProtection>;

/** The user of a computer, if they agreed to be called on their number after a stop (P11.1). E.164. */
export type AgreedNumberLookup = (
  account: string,
  device: string,
  connection: Db | Trx,
) => Promise<{ phone_number: string; name: string } | null>;

export type OptOutLookup = (numbers: string[], connection?: Db | Trx) => Promise<Set<string>>;

/** When the newest list of sites was fetched, if all of them are old; null if one is not. */
export type OldLists = () => Promise<{ fetched: Date | null } | null>;

/** What is wrong with the feed of definitions, part of a sentence; null if nothing is. */
export type FeedTrouble = () => Promise<string | null>;

/** Why Stripe fails as a whole, or null. `isKnown`: it did, so that Stripe has to be asked. */
export type PaymentTrouble = (isKnown: boolean) => Promise<'key_refused' | 'no_answer' | null>;

/** A device whose policy is read. */
export interface PolicySubject {
  device: string;
  account: string;
  now: Date;
}

/**
 * What a feature contributes to the policies of devices. `found`: a scalar subquery about `d`, the row of the device, at `now.time`. One statement
 * reads a policy and has the subquery of each part, so that all parts are of one moment; times in JSON are text. `read`: makes the part of it.
 */
export interface PolicyPart<Part, Found = unknown> {
  found: RawBuilder<Found>;
  read(found: Found, subject: PolicySubject): Part | Promise<Part>;
}
