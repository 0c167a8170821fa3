import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { EventFacts } from '@porchlight/contract/incident-events.ts';
import type { EscalationView } from '@porchlight/contract/incidents.ts';
import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
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
  decision: { cause: 'incident' | 'second_act' | 'ask_first'; rule: 'hour' | 'day'; opens: boolean; needs_password: boolean };
  incident: string | null;
  device: { uuid: string; name: string } | null;
}

/**
 * Says of each of the account's devices whether the caller is at it: in its network, or in a browser that an agent has answered (P10.2).
 * Without a device: whether they are at any.
 */
export type DevicesNear = (
  account: string,
  caller: Pick<WeakeningCall, 'ip' | 'browser_near'>,
  connection?: Db | Trx,
) => Promise<(device: string | null) => boolean>;

/**
 * Proves who leaves, or switches their own channels off, beside a computer of an open incident (P10.2). Call it before the transaction,
 * since wrong attempts stay counted, and the returned function within it: that throws `may_not_answer` and `code_needed`, and uses up the
 * code. Throws `phone_code_wrong`, `phone_code_expired` and `too_many`.
 */
export type GuardianProof = (
  guardian: { uuid: string; account: string; name: string; accepted: Date | null },
  caller: Pick<WeakeningCall, 'ip' | 'browser_near'>,
  code: string | undefined,
) => Promise<(trx: Trx) => Promise<unknown>>;

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

/** Why Stripe fails as a whole, or null. `isKnown`: it did, so that Stripe has to be asked. */
export type PaymentTrouble = (isKnown: boolean) => Promise<'key_refused' | 'no_answer' | null>;

/** A step of an escalation that was taken. */
export interface ReachedEvent {
  time: Date;
  facts: EventFacts;
}

/** What an incident's page shows of its escalation (P11.1): each step that was taken, and the next one. */
export interface EscalationOnPage {
  view: EscalationView | null;
  events: ReachedEvent[];
  /** The numbers of the escalations whose second messages went out. */
  rounds: number[];
}

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

/** What an account's gate depends on, besides its incidents and guardians (P10). */
export interface HoldSettings {
  ask_first: boolean;
  /** When the first device of the account was installed; null before. */
  first_connected: Date | null;
  /** When an active guardian last left or was removed. */
  guardian_gone: Date | null;
}

export interface HoldSettingsPort {
  of(account: string, connection?: Db | Trx): Promise<HoldSettings>;
  asksFirst(account: string, connection?: Db | Trx): Promise<boolean>;
  setAskFirst(trx: Trx, account: string, ask_first: boolean): Promise<unknown>;
}

/** Whether an account has a guardian, had one within the last days, or has only its holder. */
export type GuardiansFact = 'some' | 'gone' | 'none';
export type GuardiansFactLookup = (account: string, connection: Db | Trx) => Promise<GuardiansFact>;

/** The devices of an account that somebody other than the holder uses, as far as that counts (P8.1). */
export type SomeoneElsesDevices = (connection: Db | Trx, account: string) => Promise<Set<string>>;

/** `new_password`, `new_passkey`: given just now, but it came while an incident was open, and does not count until that is over (P10.1). */
export type ProofState = 'counts' | 'none' | 'new_password' | 'new_passkey';
/** Whether the holder is proven in a session (P10.2). */
export type ProofLookup = (account: string, session: string, connection: Db | Trx) => Promise<ProofState>;

interface AnsweringCaller {
  account: string;
  /** From `callerOf`. */
  ip: string;
  browser_near: boolean;
  /** The account's or the guardian's id, and the first name. */
  person: string;
  name: string;
}

/** A holder or a guardian who reads, and may answer. `preview`: the holder sees a guardian's page. */
export type Reader = AnsweringCaller & ({ kind: 'holder'; session: string } | { kind: 'guardian'; accepted: Date; preview?: boolean });

/** An incident, as far as it says who may answer. */
export interface AnsweredIncident {
  uuid: string;
  account: string;
  device: string;
  opened: Date;
}

/** A held request, as far as it says who may answer. */
export interface AnsweredRequest {
  account: string;
  incident: string | null;
  device: string | null;
  activities: { device: string }[];
  time: Date;
}

/** Who may answer what (P10.2). */
export interface Authority {
  ofRequest(reader: Reader, row: AnsweredRequest, connection?: Db | Trx): Promise<MayAnswer>;
  ofIncident(reader: Reader, row: AnsweredIncident, connection?: Db | Trx): Promise<MayAnswer>;
  /** For a one-time code at a device, about its open incident if there is one (P10.7). */
  ofDevice(reader: Reader, device: string, connection?: Db | Trx): Promise<MayAnswer>;
  /** Whether the reader may end the incident. A holder without guardians may, an hour after asking for it, with the password. */
  ofEnd(reader: Reader, row: AnsweredIncident, connection?: Db | Trx): Promise<MayAnswer>;
  /** Whether *It's over* only starts the hour of a holder without guardians. */
  mustWait(reader: Reader, row: AnsweredIncident, connection?: Db | Trx): Promise<boolean>;
  /** Whether this person's ticks and *I’m on it* are the family's: at an own computer the holder's may be anybody's (P18.2). */
  counts(person: Pick<Reader, 'account' | 'person'>, row: Pick<AnsweredIncident, 'device'>, connection?: Db | Trx): Promise<boolean>;
  /** Whether an answer of this person ends an escalation (P11.1): a guardian of long enough, or the holder of somebody else's computer. */
  mayEndEscalation(row: Pick<AnsweredIncident, 'account' | 'device' | 'opened'>, person: string, connection: Db | Trx): Promise<boolean>;
  /** For *I’m on it*, which anyone may say who is not at that computer. */
  ofPlace(reader: Reader, device: string | null, connection?: Db | Trx): Promise<MayAnswer>;
  /** Those guardians of an account who may answer what is about this time. */
  provenOf<G extends { accepted: Date | null }>(account: string, guardians: G[], about: Date, connection: Db | Trx): Promise<G[]>;
}

/** Uses up the code that somebody typed; null without a code. */
export type UseCode = ((trx: Trx) => Promise<unknown>) | null;
/** Throws the refusal of somebody who may not answer, or may only with a proof that is missing. */
export type RequireProof = (trx: Trx, mine: MayAnswer, useCode: UseCode) => Promise<void>;
