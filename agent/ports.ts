import type { AccountHolder } from '@porchlight/contract/agent.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import type { ToldOf } from '@porchlight/contract/told.ts';
import type { Match } from '@porchlight/definitions/format.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { Call } from './api/call.ts';
import type { EventHub } from './lib/events.ts';
import type { WhyNot } from './lib/not-done.ts';
import type { FoundListing } from './os/port.ts';
import type { Identity } from './state/store.ts';
import type { Found } from './state/stored-findings.ts';

/** What rooms of the agent ask of each other: types alone. `agent.ts` hands over the functions. */

/**
 * What several rooms hear of. `policyChanged`: other rules or definitions are in force, this computer became another device, or protection was paused or
 * resumed. `reportQueued`: something waits to be reported to the server. `checkInDue`: what the server knows of this computer is out of date.
 * `windowWanted`: the user is to see the window.
 */
export type AgentEvents = EventHub<'policyChanged' | 'reportQueued' | 'checkInDue' | 'windowWanted'>;

/** One plain sentence for the user at the terminal, and for the log. */
export type Log = (sentence: string) => void;

/** What the user of this computer can do. What weakens protection needs the PIN, and is reported. */
export interface LocalControls {
  formerAccount: FormerAccount;
  /** Milliseconds until protection resumes; 0 while it is on. */
  pausedFor(): number;
  /** Throws a sentence for the user, also when the PIN is wrong. */
  pause(minutes: number, pin: string): Promise<void>;
  resume(): Promise<void>;
  /** The user wants what was stopped: the request is reported, and nothing is allowed. */
  ask(name: string): Promise<void>;
  /** Throws `LinkRefused` unless this computer belongs to nobody, or the PIN is right. */
  mayLeave(pin: string | undefined): Promise<void>;
  /** Throws a sentence for the user unless this computer belongs to nobody, or the PIN is right. */
  mayPutBack(pin: string): Promise<void>;
  /** As `mayLeave`, for an uninstaller: the end that follows is reported as an uninstall. */
  mayUninstall(pin: string | undefined): Promise<void>;
  close(): void;
}

/** What outlasts an account for a day of running time, whatever the clock says and however often the computer restarts (P10.9). */
export interface FormerAccount {
  /** The PIN of the account that removed this computer; null when that is a day ago. */
  pin(): PinHash | null;
  /** Milliseconds for which that PIN is still needed; 0 when it is not. */
  pinLeft(): number;
  /** An account with this PIN removed this computer. On disk when this resolves, in force at once. */
  removed(pin: PinHash | null): Promise<void>;
  /** Milliseconds for which a device unknown to the server stays one; null while the server knows it. */
  unknownLeft(): number | null;
  /** The server does not know this device: answers whether that has been so for a day. */
  unknown(): Promise<boolean>;
  /** The server knows this device. */
  known(): Promise<void>;
  /** This computer belongs to an account again, or left one by a decision made here: nothing outlasts that. */
  over(): Promise<void>;
  /** Persists how much time is left, now and then. */
  seen(): Promise<void>;
}

/**
 * Becoming a device: at once where this computer belongs to nobody. Where the free plan or another account is in force nothing changes: the window asks the
 * user, and `LinkRefused` (`asked`, or `pin_needed` where the answer takes the PIN too) says so (P10.8).
 */
export interface Linking {
  byCode(code: string): Promise<void>;
  byLink(link: HandOver): Promise<void>;
}

/** Whose account this computer would join. `id`: of this question, so that no answer counts for another one that came meanwhile. */
export interface Question {
  id: string;
  holder: AccountHolder;
  /** What the computer would be called. */
  device: string;
}

/** What undoing brings back: the free plan, or an account; null while nothing can be undone. */
export type Undo = { to: 'free' } | { to: 'account'; holder: AccountHolder | null } | null;

/** Whose computer this is, and everything that may change it (P10.8). */
export interface Ownership {
  link: Linking;
  /** The user's answer to a question. Throws a sentence for the user when nothing came of it. */
  answer(id: string, yes: boolean, pin: string | undefined): Promise<void>;
  /** The open question, for the page that shows it. */
  question(): Question | null;
  /** The account holder; null where there is none, or the server has not named one. */
  holder(): AccountHolder | null;
  undoable(): Undo;
  /** The computer is again what it was before, and at least one with the free plan; the account is notified. Throws a sentence for the user. */
  undo(): Promise<void>;
  /** Milliseconds for which nothing weaker than Strict is in force; 0 afterwards. */
  strictFor(): number;
  /** Milliseconds until this computer leaves its account, as an administrator wants; null while nobody does. */
  leavesIn(): number | null;
  /** The computer does not leave. */
  stay(): Promise<void>;
  close(): Promise<void>;
}

/** What scans found. `key`: by which an entry is put back. `entry`: the file, or what the system calls it. `held`: what can be put back. */
export interface DiskScanState {
  running: boolean;
  found: (Pick<ScanItem, 'identifier' | 'name' | 'certainty' | 'did'> & { key: string; entry: string; held: string[] })[];
}

/** What lies on this computer's disk. */
export interface DiskScan {
  /** Scans when the disk was not scanned yet by the rules and definitions in force. */
  consider(): void;
  state(): DiskScanState;
  /** Puts back what was taken for one entry. `why`: when not all of it is back. */
  putBack(entry: string): Promise<{ name: string; why: WhyNot | null }>;
  report(call: Call, identity: Identity): Promise<void>;
  close(): Promise<void>;
}

export type PeopleTold = ToldOf['people'];

/** What the calm screen shows: the same program or site within ten minutes is one incident (P4.4). */
export interface Incident {
  match: Match;
  kind: 'program' | 'site';
  first: Date;
  last: Date;
  times: number;
  blocked: boolean;
  what_to_do: string;
  /** The detection that people are notified of, and by which device it was reported; null where it is not reported. */
  detection: { uuid: string; device: string } | null;
  /** Who was notified, by the server's word; null until it said so. */
  told: PeopleTold | null;
}

export interface Incidents {
  /** Answers whether the screen should open: for a new incident, and for one that was stopped before and is not any more. */
  add(happened: Omit<Incident, 'first' | 'last' | 'times' | 'told'>, now: Date): boolean;
  /** The newest incident, while it is less than a day old. */
  current(now: Date): Incident | null;
  /** The detections of a device for which the server should say who was notified: that of the newest incident, until nobody is waited for. */
  asks(now: Date, device: string | undefined): string[];
  /** The server's answer. */
  heard(told: ToldOf[]): void;
}

/** A listed site that somebody at this computer tried to open: its registrable domain, and nothing of what was wanted there. */
export interface SiteAttempt {
  site: string;
  blocked: boolean;
  /** The definition that it belongs to; null for a site that only a list knows. */
  family: { identifier: string; category: 'RemoteControl' | 'DeceptiveUtility' | 'ScamWebsite' } | null;
}

/**
 * detect → decide → act for everything that one scan of the disk observed (P4.1); answers what was found, for the report, whether or not something could
 * be done. `restored`: entries that somebody asked back, which are left alone.
 */
export type ProtectStored = (
  listing: FoundListing,
  rules: RemovalPolicy,
  definitions: CompiledSet,
  restored: (entry: Pick<Found, 'kind' | 'entry'>) => boolean,
) => Promise<Found[]>;
