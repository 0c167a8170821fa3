import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Match } from '@porchlight/definitions/format.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { Decision } from '@porchlight/definitions/remove-shapes.ts';
import type { FoundListing, ProcessSeen } from '../../os/port.ts';

export interface ProgramFinding {
  kind: 'program';
  match: Match;
  process: ProcessSeen;
  /** Missing: a person. */
  start?: ReportedDetection['start'];
  /** The same program was inspected before, in the same process. */
  seen_before?: boolean;
}

export interface SiteFinding {
  kind: 'site';
  match: Match;
  site: string;
  refused: boolean;
}

export interface StoredFinding {
  kind: 'stored';
  match: Match;
  listing: FoundListing;
  decision: Decision;
}

export type Finding = ProgramFinding | SiteFinding | StoredFinding;

/** A pure function of the observation and the definitions. */
export type Detector<Observed, Found extends Finding> = (observed: Observed, definitions: CompiledSet) => Found[];
