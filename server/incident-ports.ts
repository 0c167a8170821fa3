import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import type { EventFacts, IncidentEvent, IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { EscalationView } from '@porchlight/contract/incidents.ts';
import type { AnswerRefusal, MayAnswer } from '@porchlight/contract/may-answer.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import type { FastifyRequest } from 'fastify';
import type { Db, Trx } from './db/open.ts';
import type { WeakeningCall } from './http/weakening-call.ts';
import type { QuotedHolder } from './notifications/quoted-facts.ts';

/** Types of what features offer about incidents, about what waits for an answer, and about who may give it; `app.ts` passes the functions. */

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

/** What opens an incident. `what`: the program's name, for the words. `time`: perhaps before the server received the report. */
export interface Opening {
  account: string;
  device: { uuid: string; name: string };
  opener: IncidentOpener;
  what: string | null;
  time: Date;
  /** The guardian who pressed *Stop this*; only for that opener. */
  person?: string | null;
}

/** Opens an incident, opens it again, or prolongs it (P9.1). The caller has locked the device. Returns its id; null: it would be over already. */
export type OpenIncident = (trx: Trx, opening: Opening) => Promise<string | null>;

/** An activity that lets remote control run, without a yes. */
export interface RecentPermission {
  /** The id of its activity-log entry. */
  entry: string;
  kind: 'allowed' | 'profile_chosen' | 'profile_changed';
  /** Null: every device that has the profile. */
  device: string | null;
  /** The program's name. */
  what: string | null;
  /** The id of the allow-list entry. */
  exception: string | null;
  time: Date;
}

/** Under which rules a program started. */
export interface StartRules {
  /** What the profile does with remote-control programs. */
  action: PolicyAction;
  /** Whether the program is on the device's allow list, or a one-time code allowed it. */
  allowed: boolean;
  /** Milliseconds since it was allowed, and since the profile became weaker; null if never, or if somebody's yes let that through. */
  since_allowed: number | null;
  since_weaker: number | null;
  /** What let it start within the last hour, so that it waits for a yes. */
  waits_for: RecentPermission[];
}

/** Programs that wait for a guardian's yes (P9.1, P12.3, P12.4). */
export interface WaitingPrograms {
  /** The rules at a device, read once for a whole report. */
  rulesAt(
    trx: Trx,
    device: { uuid: string; account: string },
  ): Promise<(program: { name: string; identifier: string; blocked: boolean; time: Date }) => StartRules>;
  /**
   * Takes back what let the program start, and asks the guardians about it, once. `cause`: it was started in the first hour of one of `permissions`,
   * somebody at the computer asked for it, or it waits there. Whether a request about it is there, with an answer or without.
   */
  ask(
    trx: Trx,
    device: { uuid: string; account: string; name: string },
    incident: string | null,
    program: { name: string; identifier: string },
    reason: { cause: 'first_hour' | 'asked' | 'waiting'; permissions: RecentPermission[] },
  ): Promise<boolean>;
}

/** Allow-list entries whose program was started too early, and waits for a yes (P15.2). */
export interface WaitingEntries {
  /** `entry`: the activity-log entry of its addition. Whether the exception has no end. */
  wait(trx: Trx, device: string, exception: string, entry: string): Promise<boolean>;
  /** Allows the program. `until`: null for as long as it was added for. */
  letRun(trx: Trx, account: string, device: string, exception: string, until: Date | null): Promise<void>;
  /** It stays in the list, where it is not allowed any more. `by`: a first name. */
  refuse(trx: Trx, account: string, device: string, exception: string, by: string): Promise<void>;
}

/** Allow lists of an account's devices, for the end of an incident (P15.4). */
export interface AllowLists {
  /** The entries, except those that a no refused; the newest of each device first. `waits`: as in `WaitingEntries`. */
  of(
    devices: string[],
    connection: Db | Trx,
  ): Promise<{ id: string; device: string; name: string; added: Date; until: Date | null; waits: boolean }[]>;
  /** Nothing happens to an entry that is gone already. */
  remove(trx: Trx, account: string, device: string, exception: string): Promise<void>;
}

/** The held requests of an incident, for its page. */
export interface RequestsOnPage {
  uuids: string[];
  views: HeldRequest[];
  events: { time: Date; kind: IncidentEvent['kind']; facts: EventFacts }[];
}
export type RequestsOnPageLookup = (reader: Reader, incident: string, quoted: QuotedHolder) => Promise<RequestsOnPage>;

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

/** Why nothing that is allowed runs at a device now, and when it does again (P10.6, P10.8); null: it runs. */
export type SuspensionLookup = (account: string, device: string, connection?: Db | Trx) => Promise<AnswerRefusal | null>;

/** A person who answers: the account's or the guardian's id, and the first name. */
export interface Answerer {
  person: string;
  name: string;
}

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

interface ReadingCall {
  ip: string;
  request: FastifyRequest;
}

/** Who reads, and may answer. */
export interface Readers {
  holder(call: ReadingCall & { account: string; session: string }): Promise<Reader>;
  /** Throws `guardian_inactive` and `guardian_link_dead`. */
  guardian(call: ReadingCall & { guardian: string }): Promise<Reader>;
  /** Null before they accepted. */
  ofGuardian(
    guardian: { uuid: string; account: string; name: string; accepted: Date | null },
    caller: Pick<WeakeningCall, 'ip' | 'browser_near'>,
  ): Reader | null;
  /** Counts the answers to incidents and requests together. Throws `too_many`. */
  limitAnswers(reader: Reader): Promise<unknown>;
}

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
  /** For an appointment at a device (P15.1): a guardian needs a code wherever they are. */
  ofHelping(reader: Reader, device: string, connection?: Db | Trx): Promise<MayAnswer>;
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
/**
 * Checks the code that somebody typed, if they did. Call it before the answer's transaction, since wrong attempts stay counted; the returned function
 * uses up the code within it. Throws `phone_code_wrong`, `phone_code_expired` and `too_many`.
 */
export type CheckCode = (reader: Reader, code: string | undefined) => Promise<UseCode>;
/** Throws the refusal of somebody who may not answer, or may only with a proof that is missing. */
export type RequireProof = (trx: Trx, mine: MayAnswer, useCode: UseCode) => Promise<void>;
