import type { AccountHolder, DevicePolicy } from '@porchlight/contract/agent.ts';
import type { AppointmentEnd } from '@porchlight/contract/appointments.ts';
import type { DetectionDeliveries } from '@porchlight/contract/detection-deliveries.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import type { DetectionCategory, PinHash } from '@porchlight/contract/shapes.ts';
import type { Match } from '@porchlight/definitions/format.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { MoneyKind } from '@porchlight/definitions/money/format.ts';
import type { RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { Call } from './api/call.ts';
import type { EventHub } from './lib/events.ts';
import type { FailureReason } from './lib/not-done.ts';
import type { Lock } from './lock/lock-rule.ts';
import type { FoundListing } from './os/port.ts';
import type { RunningAppointment } from './state/in-force.ts';
import type { Identity } from './state/store.ts';
import type { Found } from './state/stored-findings.ts';

/** Types shared by the agent's folders; `agent.ts` connects the implementations. */

/**
 * `policyChanged`: rules, definitions, the identity or a pause changed. `reportQueued`: an entry waits to be reported. `checkInDue`: the
 * server's record of this computer is outdated. `windowWanted`: the user should see the window. `moneyRestChanged`:
 * money sites begin to rest, or get their address again. `pausedSitesChanged`: a paused site opens, or is paused again. `incidentOver`: the
 * server has ended the incident of this computer.
 */
export type AgentEvents = EventHub<
  'policyChanged' | 'reportQueued' | 'checkInDue' | 'windowWanted' | 'moneyRestChanged' | 'pausedSitesChanged' | 'incidentOver'
>;

export type Log = (sentence: string) => void;

/** The user's controls. Actions that weaken protection need the PIN and are reported. */
export interface LocalControls {
  formerAccount: FormerAccount;
  pausedFor(): number;
  pause(minutes: number, pin: string): Promise<void>;
  resume(): Promise<void>;
  /** Reports that the user wants a stopped program; allows nothing. */
  ask(name: string): Promise<void>;
  lock: DeviceLock;
  /** `typed`: the PIN or a one-time code. Throws `LinkRefused` when it is needed and missing, wrong, or not enough. */
  checkMayLink(typed: string | undefined): Promise<void>;
  /** `peek`: a right code is not used up, since an installer asks first and removes later. */
  checkMayRemove(typed: string | undefined, peek?: 'peek'): Promise<void>;
  /** As `checkMayRemove`; an end of the agent that follows is reported as an uninstall. */
  checkMayUninstall(typed: string | undefined): Promise<void>;
  /** `program`: the identifier of its definition. Throws an error whose message is for the user, as the following do. */
  checkMayRestore(typed: string, program: string): Promise<void>;
  /** Needs a one-time code only while the lock is in force. */
  checkMayUndo(typed: string): Promise<void>;
  appointments: Omit<Appointments, 'beginByCode' | 'review' | 'close'>;
  /** Allows a program for an hour by a one-time code. */
  allow(program: { identifier: string; name: string }, typed: string): Promise<void>;
  /** *I need help now* (P9.5): remote-control programs end, whatever allows them, and it is reported. Does nothing without an account. */
  help(): Promise<void>;
  close(): void;
}

/** Programs that run for a time without an alarm (P15.1, P10.7). */
export interface Appointments {
  running(): RunningAppointment[];
  /** Call with each new policy. */
  review(): void;
  /** Whether an appointment with this definition ended within a minute, so that its program is ended without an alarm. */
  endsCalmly(identifier: string): boolean;
  /** Returns the end by the wall clock. Throws when it cannot be stored; then nothing is allowed. */
  beginByCode(program: { identifier: string; name: string }): Promise<Date>;
  /** Ends all, and their programs, at once. */
  end(why: AppointmentEnd): Promise<void>;
  close(): void;
}

/** What the lock learns from the server (P10.5). */
export interface ServerWord {
  beginRound(): Promise<RoundMark>;
  /** Call with each verified policy of the server, after it is in force. */
  policyArrived(policy: DevicePolicy, mark: RoundMark): Promise<void>;
}

/** The lock of this computer (P10.5). */
export interface DeviceLock extends ServerWord {
  current(): Lock | null;
  /** Call when a remote-control program that a person started was ended, before and after its detection is queued. */
  programEnded(): Promise<void>;
  /** Milliseconds left of a local emergency stop; 0 without one (P9.5). */
  helpLeft(): number;
  /** Begins a local emergency stop, which is also an end of a program. Throws when it cannot be stored; it is in force anyway. */
  beginHelp(length: number): Promise<void>;
  /** The newest time that the server has signed, and how late it is now at least, in milliseconds since 1970. */
  signed(): { newest: number; now: number };
  persistTimeLeft(): Promise<void>;
}

/** The lock's state when a round of the policy began. */
export interface RoundMark {
  change: number;
  settled: boolean;
  /** Whether a word of the server would end a lock, and whether it is time to ask for it. */
  wants_word: boolean;
  needs_word: boolean;
}

/** What remains of a former account for a day of running time (P10.9). */
export interface FormerAccount {
  /** The PIN of the account that removed this computer; null after a day. */
  pin(): PinHash | null;
  pinLeft(): number;
  /** The former device, by which the server checks the PIN: only where its hash is not known here. */
  identity(): Identity | null;
  /**
   * Call when an account removed this computer; `pin`: its PIN, null when it is not known here. The need for it is in force at once, and
   * persisted when the promise resolves.
   */
  removed(identity: Identity, pin: PinHash | null): Promise<void>;
  /** Call when the server did not know this computer for a day: then no PIN is needed. */
  revoked(): Promise<void>;
  /** Milliseconds until a device unknown to the server is unlinked; null while it is known. */
  unrecognizedLeft(): number | null;
  /** Call when the server does not know this device; resolves to true when that has lasted a day. */
  noteUnrecognized(): Promise<boolean>;
  noteRecognized(): Promise<void>;
  /** Ends the need for the former PIN and the count of unrecognized time, after a new link or a decision on this computer to leave. */
  end(): Promise<void>;
  persistTimeLeft(): Promise<void>;
}

/**
 * Links this computer. Where the free plan or another account is in force the window asks the user first, and `LinkRefused` is thrown
 * (`asked`, or `pin_needed` when the PIN is required) (P10.8).
 */
export interface Linking {
  byCode(code: string): Promise<void>;
  byLink(link: HandOver): Promise<void>;
}

/** The account that this computer would join. An answer counts only for the question with its `id`. */
export interface Question {
  id: string;
  holder: AccountHolder;
  device: string;
}

export type Undo = { to: 'free' } | { to: 'account'; holder: AccountHolder } | null;

/** The network isolation of this computer (P10.6). */
export interface NetworkIsolationControl {
  /** Null unless the internet is cut now. `by`: the guardian's first name. `until`: by this computer's clock. */
  state(): { by: string; until: Date; may_end: boolean } | null;
  /** The user ends the isolation, which is reported. Does nothing without one; throws an error whose message is for the user. */
  end(): Promise<void>;
}

export interface Ownership {
  link: Linking;
  answer(id: string, yes: boolean, pin: string | undefined): Promise<void>;
  /** The open question. The first call starts the delay before it can be accepted, so call only to show it. */
  question(): Question | null;
  holder(): AccountHolder | null;
  undoable(): Undo;
  /** Undoes the link and notifies the account. `typed`: a one-time code, needed in a lock. Throws an error whose message is for the user. */
  undo(typed: string): Promise<void>;
  /** Milliseconds during which Strict is the minimum; 0 afterwards. */
  strictFor(): number;
  /** Milliseconds until this computer leaves its account; null without a notice. */
  leavesIn(): number | null;
  stay(): Promise<void>;
  close(): Promise<void>;
}

/** `key`: for `restore`. `entry`: a file, or a name in the system. `held`: ids of restorable items. */
export interface DiskScanState {
  running: boolean;
  found: (Pick<ScanItem, 'identifier' | 'name' | 'certainty' | 'did'> & { key: string; entry: string; held: string[] })[];
}

export interface DiskScan {
  consider(): void;
  state(): DiskScanState;
  restore(entry: string): Promise<{ name: string; why: FailureReason | null }>;
  report(call: Call, identity: Identity): Promise<void>;
  close(): Promise<void>;
}

/** What was found: a definition, or something that is on no list (P12.3 to P12.6). */
export type FoundMatch = Omit<Match, 'category'> & { category: DetectionCategory };

export type NotifiedPeople = DetectionDeliveries['people'];

/** What became of a start that is on no list. `refused`: a no ended it. `ended`: anything else did, such as that too many wait already. */
export type StartState = 'waits' | 'runs' | 'refused' | 'ended';

/** What the calm screen shows; repeated detections of a program or site within ten minutes are one incident (P4.4). */
export interface Incident {
  match: FoundMatch;
  kind: 'program' | 'site';
  first: Date;
  last: Date;
  times: number;
  blocked: boolean;
  /** Only of a start that is on no list (P12.3, P12.4). */
  start?: StartState | undefined;
  what_to_do: string;
  /** The detection of which people are notified, and the device that reported it; null when it is not reported. */
  detection: { uuid: string; device: string } | null;
  notified: NotifiedPeople | null;
}

export interface Incidents {
  /** Returns whether the window should open: for a new incident, or when a program that was stopped before now runs. */
  add(happened: Omit<Incident, 'first' | 'last' | 'times' | 'notified'>, now: Date): boolean;
  current(now: Date): Incident | null;
  /** Call when the incident is over (P15.4): the window is calm again, and what happens next is new. */
  forget(): void;
  /** The id of the newest incident's detection, until the server has answered who was notified. */
  asks(now: Date, device: string | undefined): string[];
  addAnswers(notified: DetectionDeliveries[]): void;
  noteStart(identifier: string, state: StartState): void;
}

/** An attempt to open a listed site, of which only the registrable domain is stored, for privacy. */
export interface SiteAttempt {
  site: string;
  blocked: boolean;
  definition: { identifier: string; category: 'RemoteControl' | 'DeceptiveUtility' | 'ScamWebsite' } | null;
  /** The kind of money site that rests (P12.6); then `site` is not reported. */
  money?: MoneyKind | null;
  /**
   * The brand that a paused site only looks like, or null when the site was just registered. It is shown here, and reported only when somebody
   * wants to open it (P16.2, P16.3).
   */
  imitates?: string | null;
}

/**
 * A paused site for somebody at this computer. `press`: a press opens it. `ask`: it only asks. `asked`: the answer is awaited. `refused`:
 * the answer was no.
 */
export type PausedSiteState = 'press' | 'ask' | 'asked' | 'opened' | 'refused';

/** What somebody at this computer can do about paused sites (P16.2). */
export interface PausedSiteControl {
  stateOf(site: string): PausedSiteState;
  /** Opens the site for an hour, or asks for it. Throws when it cannot be stored; then nothing has opened. */
  press(site: string, imitates: string | null): Promise<void>;
}

/**
 * detect → decide → act for one scan of the disk (P4.1). Returns all findings. `restored`: whether the user restored the entry, which is
 * then ignored.
 */
export type ProtectStored = (
  listing: FoundListing,
  rules: RemovalPolicy,
  definitions: CompiledSet,
  restored: (entry: Pick<Found, 'kind' | 'entry'>) => boolean,
) => Promise<Found[]>;
