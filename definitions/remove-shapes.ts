import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Match, Os, ProgramSeen } from './format.ts';

/** What lies on a computer, of one operating system, as its own lists name it. What is not known is left out. */
export interface Listing {
  os: Os;
  /** Installed programs: the list of apps that can be uninstalled, bundles under Applications, packages. */
  programs: { name: string; publisher?: string; version?: string; path?: string; bundle_id?: string }[];
  /** System services: the name the system knows it by, what it calls itself, and the command that it runs. */
  services: { name: string; display?: string; path?: string }[];
  /** Whatever starts by itself when someone logs in, with its command. */
  start_up: { name: string; command: string }[];
  /** Files in the downloads folder. `os` may be another's: it counts as the listing's. */
  downloads: (Omit<ProgramSeen, 'os' | 'path'> & { path: string })[];
}

export type Kind = 'programs' | 'services' | 'start_up' | 'downloads';

/** One step each: none of them loses anything for good but `uninstall`, which the program's own uninstaller does. */
export type Step = 'uninstall' | 'stop_and_disable' | 'remove_start_up' | 'quarantine';

/** Why something stays, in the order in which the reasons are looked at. */
export type Reason = 'no_match' | 'allowed' | 'ignored' | 'part_of_system' | 'alert_only' | 'only_likely';

/** What becomes of one entry: `at` is its place in the list of its kind. */
export type Decision = { kind: Kind; at: number; name: string } & (
  | { verdict: 'goes'; step: Step; match: Match }
  /** `until`: when the person's own exception ends, null for never; only with `allowed`. */
  | { verdict: 'stays'; reason: Reason; match: Match | null; until?: string | null }
);

export type RemovalPolicy = Pick<DevicePolicy, 'actions' | 'block_likely' | 'allow'>;
