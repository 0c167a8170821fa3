import type { Match } from '@porchlight/definitions/format.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { Decision } from '@porchlight/definitions/remove-shapes.ts';
import type { FoundListing, ProcessSeen } from '../../os/port.ts';

/** A program that runs and matches a definition. */
export interface ProgramFinding {
  kind: 'program';
  match: Match;
  process: ProcessSeen;
}

/** A listed site that somebody tried to open. `refused`: the DNS filter gave its name no address. */
export interface SiteFinding {
  kind: 'site';
  match: Match;
  site: string;
  refused: boolean;
}

/** Something on the disk that matches a definition: one entry of `listing`, with what the policy says about it. */
export interface StoredFinding {
  kind: 'stored';
  match: Match;
  listing: FoundListing;
  decision: Decision;
}

export type Finding = ProgramFinding | SiteFinding | StoredFinding;

/** Pure: the same observation and definitions always give the same findings. */
export type Detector<Observed, Found extends Finding> = (observed: Observed, definitions: CompiledSet) => Found[];
