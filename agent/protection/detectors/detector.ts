import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Match } from '@porchlight/definitions/format.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { ProcessSeen } from '../../os/port.ts';

/** What was observed. */
export interface Snapshot {
  processes: ProcessSeen[];
  now: Date;
}

export type Rules = Pick<DevicePolicy, 'actions' | 'block_likely' | 'allow'>;

/** Something that matches a definition, and what the policy wants done about it. */
export interface Finding {
  match: Match;
  process: ProcessSeen;
  wanted: 'block' | 'alert';
}

/** Pure: the same snapshot, policy and definitions always give the same findings. */
export type Detector = (snapshot: Snapshot, rules: Rules, definitions: CompiledSet) => Finding[];
