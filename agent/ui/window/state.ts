import type { AccountHolder } from '@porchlight/contract/agent.ts';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import type { PolicyActions } from '@porchlight/contract/policies.ts';
import type { DiskScanState, Incident, PausedSiteState, Question, Undo } from '../../ports.ts';
import type { RunningAppointment } from '../../state/in-force.ts';
import type { WhoKnows } from './who-knows.ts';

export interface WindowState {
  now: Date;
  link: { state: 'linked'; device: string } | { state: 'unlinked' | 'removed' | 'free' };
  incident: Incident | null;
  knows: WhoKnows;
  asked: boolean;
  /** What can be done about the paused site of the incident; null when it is about something else. */
  paused_site: PausedSiteState | null;
  relatives: string[];
  cannot: AgentLimitation[];
  /** What does not work here, in sentences with the reasons. */
  limitations: string[];
  /** Null while the server answers; `since`: the last contact of this run. */
  away: { since: Date | null } | null;
  unknown_for: number | null;
  /** Milliseconds for which a removed computer still needs the PIN; otherwise 0. */
  pin_for: number;
  paused_for: number;
  holder: AccountHolder | null;
  question: Question | null;
  undo: Undo;
  strict_for: number;
  /** Whether a one-time code is needed instead of the PIN (P10.5). */
  locked: boolean;
  /** The emergency stop in force (P10.6). */
  stop: { by: string; until: Date } | null;
  /** While the internet is cut (P10.6); `may_end`: by the user here. */
  isolation: { by: string; until: Date; may_end: boolean } | null;
  /** What runs by appointment. */
  helping: RunningAppointment[];
  leaves_in: number | null;
  diskScan: DiskScanState;
  /** On a Mac, while sites are blocked: iCloud Private Relay would open them (P16.7). */
  relay_off: boolean;
  version: string;
  last_contact: Date | null;
  /** The source of the rules in force; null while nothing is stopped. */
  protects: 'policy' | 'free' | null;
  actions: PolicyActions | null;
}
