import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Match } from '@porchlight/definitions/format.ts';
import type { Decision } from '@porchlight/definitions/remove-shapes.ts';
import type { FoundListing, ProcessSeen, SuspendedProcess } from '../../os/port.ts';
import type { FoundMatch } from '../../ports.ts';
import type { DoorFinding } from './doors.ts';

export interface ProgramFinding {
  kind: 'program';
  match: Match;
  process: ProcessSeen;
  /** A viewer or client, which goes out unless it was started otherwise (P15.3). */
  is_client?: true;
  /** Missing: a person. */
  start?: ReportedDetection['start'];
  /** The same program was inspected before, in the same process. */
  seen_before?: boolean;
}

/**
 * A start that is on no list, and may wait for a yes (P12.3, P12.4). `roots`: the processes that are suspended, with their descendants.
 * `details`: where it comes from, for the report; never a whole command line.
 */
export interface StartFinding {
  kind: 'start';
  match: FoundMatch;
  process: ProcessSeen;
  roots: SuspendedProcess[];
  details: string;
}

export interface SiteFinding {
  kind: 'site';
  match: FoundMatch;
  site: string;
  refused: boolean;
}

export interface StoredFinding {
  kind: 'stored';
  match: Match;
  listing: FoundListing;
  decision: Decision;
}

export type Finding = ProgramFinding | StartFinding | SiteFinding | DoorFinding | StoredFinding;
