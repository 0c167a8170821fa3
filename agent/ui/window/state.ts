import type { AccountHolder } from '@porchlight/contract/agent.ts';
import type { PolicyActions } from '@porchlight/contract/policies.ts';
import type { DiskScanState, Incident, Question, Undo } from '../../ports.ts';
import type { WhoKnows } from './who-knows.ts';

/** What the pages show. */
export interface WindowState {
  link: { state: 'linked'; device: string } | { state: 'unlinked' | 'removed' | 'free' };
  incident: Incident | null;
  /** Who knows of the incident. */
  knows: WhoKnows;
  /** The person has said that they want what was stopped. */
  asked: boolean;
  family: string[];
  limitations: string[];
  /** The server was not reached for a while: since when, or null when it was not since the start. */
  away: { since: Date | null } | null;
  /** Milliseconds for which a device that the server does not know stays one; null while the server knows it. */
  unknown_for: number | null;
  /** Milliseconds for which a computer that was removed still asks for the PIN; 0 when it does not. */
  pin_for: number;
  /** Milliseconds until a pause ends; 0 without one. */
  paused_for: number;
  /** Whose account it is; null where there is none, or its server has not said it. */
  holder: AccountHolder | null;
  /** Whose it would be, which nobody has answered yet. */
  question: Question | null;
  /** What it goes back to when its becoming what it is is undone; null when it cannot be. */
  undo: Undo;
  /** Milliseconds in which nothing weaker than strict is in force; 0 when that is over. */
  strict_for: number;
  /** Milliseconds until it leaves its account; null while nobody wants that. */
  leaves_in: number | null;
  look: DiskScanState;
  version: string;
  last_contact: Date | null;
  /** By which rules something is stopped: the account's, or those of the free plan; null while nothing is. */
  protects: 'policy' | 'free' | null;
  /** What is done about each kind of threat; null while nothing is. */
  actions: PolicyActions | null;
}
