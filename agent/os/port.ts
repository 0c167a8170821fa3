import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import type { Listing } from '@porchlight/definitions/remove-shapes.ts';

/** A running program as the system shows it. */
export interface ProcessSeen {
  pid: number;
  /** Tells two processes apart that have the same pid one after the other. */
  started: string;
  /** The file it runs, for the person who wants to know more. */
  path: string;
  program: ProgramSeen;
}

/**
 * How names are looked up on this computer. What we change is marked as ours and undone by `restore` alone, also after we were killed:
 * whoever calls it needs to know nothing of what was before.
 */
export interface SystemResolver {
  /** The servers that are asked beside us, in their order, as addresses; `ours`: are names asked of us first? */
  current(): Promise<{ servers: string[]; ours: boolean }>;
  /**
   * Lets names be asked of this address first (port 53), and of the servers that were set before where it does not answer. Throws when it
   * may not be changed. Doing it again does no harm.
   */
  pointTo(address: string): Promise<void>;
  /** As it was before us. Does nothing where nothing was changed. */
  restore(): Promise<void>;
}

/** Where a start-up entry stands: a file of its own, a line of a file, or a value under a key of the registry. */
export type StartUpPlace = { file: string } | { file: string; line: string } | { key: string; value: string };

/** A file, and how it was when it was looked at: `stampOf` of agent/lib/stamp.ts. */
export interface StampedFile {
  path: string;
  stamp: string;
}

/** What the system's own lists say, and where each entry stands, so that something can be done about it. */
export interface FoundListing extends Listing {
  /** `package`: installed by a package manager or an installer of its own, which alone can take it away. `files`: else, the programs themselves. */
  programs: (Listing['programs'][number] & { package?: string; files?: StampedFile[] })[];
  /** `user`: whose service it is, by login name; the system's when left out. */
  services: (Listing['services'][number] & { user?: string })[];
  start_up: (Listing['start_up'][number] & { place: StartUpPlace })[];
  downloads: (Listing['downloads'][number] & StampedFile)[];
}

/** What a service was before it was stopped. */
export interface ServiceState {
  running: boolean;
  /** It starts by itself. */
  enabled: boolean;
}
export type ServiceAt = Pick<FoundListing['services'][number], 'name' | 'user'>;

/** The powers of the operating system that the agent needs. One implementation for each system; nothing else knows which it is. */
export interface Os {
  /** What this computer calls itself. `agent_version` is filled in by the agent. */
  info(): Omit<AgentInfo, 'agent_version'>;
  /** What the agent cannot do here, each as a sentence for the person; empty when nothing is missing. */
  limitations(): string[];
  /** Calls back with programs that are new or have become another program since the last time, all at the start; at most `every` ms late. */
  watchProcesses(every: number, seen: (processes: ProcessSeen[]) => void): { close(): void };
  /**
   * Ends this process and all that it started. True when none of them runs any more; false when one could not be ended, or when it is
   * one that must never be: the system's own, ourselves, or what started us. Ends nothing if the pid has become another process.
   */
  endTree(process: ProcessSeen): Promise<boolean>;
  /** True while this very process runs. */
  isRunning(process: ProcessSeen): boolean;
  /** True while the computer itself is going down. False when it stays on, and when this cannot be told. */
  shuttingDown(): Promise<boolean>;
  /**
   * Lets no program of these file names start any more; what was denied before and is not among them may start again. Left out where the
   * system has no such power.
   */
  denyStarts?(names: string[]): void;
  /**
   * Something else may be in force: what was switched off with a program that was ended, so that nothing starts it again, is given back for each
   * that is not `blocked` now. Left out where nothing is switched off.
   */
  letGo?(blocked: (program: ProgramSeen) => boolean): void;
  /** Shows an address in the person's browser. False when there is no screen to show it on. */
  openWindow(url: string): boolean | Promise<boolean>;
  resolver(): SystemResolver;
  /** The file that names addresses without asking anyone. */
  hostsFile(): string;
  /** What is installed, runs as a service, starts by itself and was downloaded. Only names and metadata are read, and hashes of downloaded programs. */
  listing(): Promise<FoundListing>;
  /** Null when there is no such service, or no way to ask. */
  serviceState(service: ServiceAt): Promise<ServiceState | null>;
  /** Makes it run or not, now and at the next start; stopping what is stopped does no harm. True when it is so. */
  setService(service: ServiceAt, state: ServiceState): Promise<boolean>;
  /** The content of a start-up value under a key, null when it is not there. */
  startUpValue(place: { key: string; value: string }): Promise<string | null>;
  /** Null takes it away. True when it is so. */
  setStartUpValue(place: { key: string; value: string }, content: string | null): Promise<boolean>;
}
