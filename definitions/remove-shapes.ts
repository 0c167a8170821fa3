import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Match, Os, ProgramSeen } from './format.ts';

/** What is installed on a computer. Unknown values are left out. */
export interface Listing {
  os: Os;
  /** Apps that the system lists, bundles in Applications, and packages. */
  programs: { name: string; publisher?: string; version?: string; path?: string; bundle_id?: string }[];
  services: { name: string; display?: string; path?: string }[];
  /** Programs that start at login. */
  start_up: { name: string; command: string }[];
  /** Files in the downloads folder, for the `os` of the listing. */
  downloads: (Omit<ProgramSeen, 'os' | 'path'> & { path: string })[];
}

export type Kind = 'programs' | 'services' | 'start_up' | 'downloads';

/** Ways to remove an entry. All except `uninstall` can be undone. */
export type Step = 'uninstall' | 'stop_and_disable' | 'remove_start_up' | 'quarantine';

/** Why an entry stays, in the order of the checks. */
export type Reason = 'no_match' | 'allowed' | 'ignored' | 'part_of_system' | 'alert_only' | 'only_likely' | 'only_outgoing';

/** `at` is the index in the list of this kind. */
export type Decision = { kind: Kind; at: number; name: string } & (
  | { verdict: 'goes'; step: Step; match: Match }
  /** End of the user's exception, null for never; only with `allowed`. */
  | { verdict: 'stays'; reason: Reason; match: Match | null; until?: string | null }
);

export type RemovalPolicy = Pick<DevicePolicy, 'actions' | 'block_likely' | 'allow'>;
