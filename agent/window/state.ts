import type { PolicyActions } from '@porchlight/contract/policies.ts';
import type { LookState } from './found-page.ts';
import type { Incident } from './incidents.ts';

/** What the pages show. */
export interface WindowState {
  link: { state: 'linked'; device: string } | { state: 'unlinked' | 'removed' | 'free' };
  incident: Incident | null;
  /** What the family knows of the incident. */
  told: 'told' | 'soon' | 'nobody';
  /** The family was told that the person wants what was stopped. */
  asked: boolean;
  family: string[];
  limitations: string[];
  /** The server was not reached for a while: since when, or null when it was not since the start. */
  away: { since: Date | null } | null;
  /** Milliseconds until a pause ends; 0 without one. */
  paused_for: number;
  /** Somebody handed over a link to another account, and it waits for the PIN: the signature of the link. */
  pending: string | null;
  look: LookState;
  version: string;
  last_contact: Date | null;
  /** By which rules something is stopped: the account's, or those of the free plan; null while nothing is. */
  protects: 'policy' | 'free' | null;
  /** What is done about each kind of threat; null while nothing is. */
  actions: PolicyActions | null;
}
