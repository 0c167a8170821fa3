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

/** A file as it lay there. Sizes in bytes, times in milliseconds since 1970. `mode`, `uid`, `gid`, `by` (whose rights it was read with) mean nothing on Windows. */
export interface TakenFile {
  size: number;
  mode: number;
  uid: number;
  gid: number;
  by: number;
  mtime_ms: number;
  atime_ms: number;
  stamp: string;
  sha256: string;
}

/**
 * Work on files in folders of people, who may put anything else in their place at any moment: never with more rights than the owner of the folder has, or
 * on what is held open alone. No link is followed on any part of a path. Each throws `NotDone` of agent/lib/not-done.ts.
 */
export interface PeoplesFiles {
  /** Copies a plain file to `to`, a new file in a folder that is ours alone. */
  copyOut(path: string, to: string): Promise<TakenFile>;
  /** Of a plain file, in hex; null when there is none that can be read. */
  sha256At(path: string): Promise<string | null>;
  /** Takes the name away, if it is still the file of this stamp; if not that is well. */
  remove(path: string, stamp: string): Promise<void>;
  /** A new file there with what is in `from`, its times and its rights without the special ones; never over something else. `uuid`: of what is put back. */
  putBack(path: string, from: string, wanted: Omit<TakenFile, 'stamp'> & { uuid: string }): Promise<void>;
}

/** What a service was before it was stopped. */
export interface ServiceState {
  running: boolean;
  /** It starts by itself. */
  enabled: boolean;
}
export type ServiceAt = Pick<FoundListing['services'][number], 'name' | 'user'>;

/** What is heard of a tree that is being ended. */
export interface EndingHeard {
  /** All of it that can be ended stands still, and is ended next: whoever has something to write down does so now, and at once. */
  suspended(): void;
  /** The files of what could not be ended and runs on; called at most once. */
  remains(paths: string[]): void;
}

/** Hears when the computer goes to sleep, and when it is awake again. */
export interface SleepHeard {
  /** It is about to sleep, and waits for this for a moment where the system lets it. */
  going(): Promise<void>;
  back(): void;
}

export interface SleepWatch {
  /** Is each sleep heard before it begins? It may become true a little later, and false again. */
  works(): boolean;
  close(): void;
}

/** The powers of the operating system that the agent needs. One implementation for each system; nothing else knows which it is. */
export interface Os {
  /** What this computer calls itself. `agent_version` is filled in by the agent. */
  info(): Omit<AgentInfo, 'agent_version'>;
  /** What the agent cannot do here, each as a sentence for the person; empty when nothing is missing. */
  limitations(): string[];
  /** Calls back with programs that are new or have become another program since the last time, all at the start; at most `every` ms late. */
  watchProcesses(every: number, seen: (processes: ProcessSeen[]) => void): { close(): void };
  /**
   * Ends this process and all that it started: suspends first, then ends, then keeps it from coming back, and asks nobody to stop. True when none of
   * them runs any more. What cannot be ended runs on, the others are ended all the same, and it is false; so it is for one that must never be ended: the
   * system's own, ourselves, or what started us. Ends nothing if the pid has become another process.
   */
  endTree(process: ProcessSeen, heard?: EndingHeard): Promise<boolean>;
  /** True while this very process runs. */
  isRunning(process: ProcessSeen): boolean;
  /** True while the computer itself is going down. False when it stays on, and when this cannot be told. */
  shuttingDown(): Promise<boolean>;
  /** Hears of each sleep of the computer. Left out where the system has no way to be heard in time. */
  watchSleep?(heard: SleepHeard): SleepWatch;
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
  /**
   * May whoever connects to our page from this port of this computer open this address? Only the person whom `openWindow` showed it: where a command opens an address, everyone
   * on the computer can read it. Left out where nobody else can.
   */
  isForViewer?(url: string, connection: { from: number; to: number }): Promise<boolean>;
  resolver(): SystemResolver;
  /** The file that names addresses without asking anyone. */
  hostsFile(): string;
  /** What is installed, runs as a service, starts by itself and was downloaded. Only names and metadata are read, and hashes of downloaded programs. */
  listing(): Promise<FoundListing>;
  /** Of people's folders. */
  files: PeoplesFiles;
  /** Null when there is no such service, or no way to ask. */
  serviceState(service: ServiceAt): Promise<ServiceState | null>;
  /** Makes it run or not, now and at the next start; stopping what is stopped does no harm, and what runs is ended, not asked. True when it is so. */
  setService(service: ServiceAt, state: ServiceState): Promise<boolean>;
  /** The content of a start-up value under a key, null when it is not there. */
  startUpValue(place: { key: string; value: string }): Promise<string | null>;
  /** Null takes it away. True when it is so. */
  setStartUpValue(place: { key: string; value: string }, content: string | null): Promise<boolean>;
}
