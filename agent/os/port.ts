import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import type { Listing } from '@porchlight/definitions/remove-shapes.ts';
import type { JsonValue } from '../lib/json-tree.ts';
import type { ResolvedName } from '../lib/system-resolve.ts';
import type { GuardUserFiles } from '../lib/user-file-work.ts';
import type { SystemDoors } from './doors.ts';
import type { ProgramOrigin } from './origin.ts';

export interface ProcessSeen {
  pid: number;
  /** Start time; distinguishes processes with the same pid. */
  started: string;
  path: string;
  program: ProgramSeen;
  /** What a loader, an emulator or an interpreter runs in this process, such as AnyDesk.exe in Wine. */
  runs?: RunProgram;
}

/** `skipped`: arguments of the process before those of the program. */
export interface RunProgram extends Pick<ProcessSeen, 'path' | 'program'> {
  skipped: number;
}

/**
 * What started a process, as far as the system shows it. `session_manager`: the log-on. `other`: a person, another program, or unknown.
 */
export type StartedBy = 'service_manager' | 'scheduler' | 'session_manager' | 'other';

export type SuspendedProcess = Pick<ProcessSeen, 'pid' | 'started'>;

/** How a process was started, as far as the system shows it. */
export interface ProcessCommand {
  /** At most 32,767 characters. */
  line: string;
  /** The arguments in it, without the name of the program. */
  args: string[];
  /** File names of the programs of its ancestors, the nearest first. */
  parents: string[];
  /** The other processes of the same pipeline of a shell. */
  pipeline: (SuspendedProcess & { name: string; line: string })[];
}

/** The DNS settings of this computer. `restore` undoes our changes even after a crash, without data from the caller. */
export interface SystemResolver {
  /**
   * The former DNS servers, in order; `ours`: is our server the first? Null while this computer has no DNS settings, as between two networks:
   * then there is nothing to change yet.
   */
  current(): Promise<{ servers: string[]; ours: boolean } | null>;
  /** Makes this address (port 53) the first DNS server, with the former ones as fallback. Idempotent. Throws on failure. */
  pointTo(address: string): Promise<void>;
  /** Resolves a name as other programs do. */
  resolve(name: string): Promise<ResolvedName>;
  /** Call it when names go past our server although it is the first: some systems stay with the server that answered last. */
  askFirstAgain?(): Promise<void>;
  restore(): Promise<void>;
}

export type StartUpLocation = { file: string } | { file: string; line: string } | { key: string; value: string };

/** `stamp`: by `stampOf` of agent/lib/stamp.ts, at the time of the scan. */
export interface StampedFile {
  path: string;
  stamp: string;
}

/** Each entry has its location, so that it can be removed or disabled. */
export interface FoundListing extends Listing {
  /** `package`: the package manager or installer that alone can remove the program. `files`: the executables of other programs. */
  programs: (Listing['programs'][number] & { package?: string; files?: StampedFile[] })[];
  /** `user`: login name; left out for services of the system. */
  services: (Listing['services'][number] & { user?: string })[];
  start_up: (Listing['start_up'][number] & { place: StartUpLocation })[];
  downloads: (Listing['downloads'][number] & StampedFile)[];
}

/** Sizes in bytes, times in milliseconds since 1970. `mode`, `uid`, `gid` and `by` (the uid that read it) have no meaning on Windows. */
export interface CopiedFile {
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
 * Files in users' folders, where the user may replace anything at any moment. So implementations use the rights of the folder's owner, or
 * only open handles, and follow no links. Throws `NotDone` of agent/lib/not-done.ts.
 */
export interface UserFiles {
  /** Copies a regular file to a new file in a private folder. */
  copyOut(path: string, targetPath: string): Promise<CopiedFile>;
  /** In hex; null when the file cannot be read. */
  sha256At(path: string): Promise<string | null>;
  /** Removes the file only if it still has this stamp. */
  remove(path: string, stamp: string): Promise<void>;
  /** Restores content, times, and mode without set-ID bits; never overwrites. `uuid`: of the quarantined file. */
  putBack(path: string, sourcePath: string, expectedFile: Omit<CopiedFile, 'stamp'> & { uuid: string }): Promise<void>;
}

export interface ServiceState {
  running: boolean;
  /** Starts automatically. */
  enabled: boolean;
}
export type ServiceAt = Pick<FoundListing['services'][number], 'name' | 'user'>;

export interface EndTreeCallbacks {
  /** Called when all processes that can be ended are suspended. */
  suspended(): void;
  /** Paths of processes that could not be ended; called at most once. */
  remains(paths: string[]): void;
}

export interface SleepCallbacks {
  /** Delays sleep for a moment where the system allows it. */
  beforeSleep(): Promise<void>;
  afterSleep(): void;
}

export interface SleepWatch {
  /** Is each sleep announced in time? May change. */
  works(): boolean;
  close(): void;
}

/** One document with policies of a browser: a file, a registry key, or a property list. */
export interface PolicyDocument {
  /** The path of the file, or the registry key. */
  id: string;
  /** `edge`: Chromium's, with more of its own. `firefox_plist`: a property list of macOS, whose policies need a switch of their own. */
  format: 'chromium' | 'edge' | 'firefox' | 'firefox_plist';
  /** True when its name says that everything in it is ours. */
  own: boolean;
}

export const isOfFirefox = ({ format }: Pick<PolicyDocument, 'format'>): boolean => format === 'firefox' || format === 'firefox_plist';

/** A policy's names, from the outermost, such as `['Permissions', 'Notifications']`. */
export type PolicyPath = string[];

/**
 * The policies of the browsers, in documents that only an administrator can change. All methods throw an error with a sentence when a
 * document cannot be read or changed.
 */
export interface BrowserPolicyStore {
  /** The documents in which a policy takes effect now. They may be missing on the disk. */
  documents(): Promise<PolicyDocument[]>;
  /** Null when the policy is not set in this document. The registry has numbers for true and false. */
  read(document: PolicyDocument, path: PolicyPath): Promise<JsonValue>;
  /** Is the policy set for the same browser in any other document, also one for a single user, or as a recommendation? */
  isSetElsewhere(document: PolicyDocument, path: PolicyPath): Promise<boolean>;
  /**
   * Whether somebody has switched Safe Browsing off in this browser, and nobody has chosen its enhanced mode, which the policy would take away.
   */
  isSafeBrowsingOff(document: PolicyDocument): Promise<boolean>;
  /** The folders, files, keys and objects that `set` would create, for `removeIfEmpty`. */
  missing(document: PolicyDocument, path: PolicyPath): Promise<string[]>;
  set(document: PolicyDocument, path: PolicyPath, value: JsonValue): Promise<void>;
  remove(document: PolicyDocument, path: PolicyPath): Promise<void>;
  /** Removes what an interrupted `set` or `remove` has left beside the document. */
  removeLeftovers(document: PolicyDocument): Promise<void>;
  /** Does nothing when it is missing, or contains anything. */
  removeIfEmpty(container: string): Promise<void>;
}

export interface ServerSocket {
  /** IPv4 or IPv6. */
  address: string;
  port: number;
}

/** The firewall of this computer, for network isolation (P10.6). */
export interface SystemNetwork {
  /** A sentence about why the internet cannot be cut here; null where it can. */
  unavailable(): string | null;
  /**
   * For `ms` milliseconds only loopback, TCP to these servers, and what keeps the network itself up pass. The system ends that alone, even
   * if this process no longer exists. Replaces an earlier isolation in one step where the system can. Throws on failure.
   */
  isolate(servers: ServerSocket[], ms: number): Promise<void>;
  /**
   * Whether the isolation that this process set is in the system now, whole and with effect: other programs and users change firewalls too.
   * It is called every second during an isolation, so it must be cheap.
   */
  inForce(): Promise<boolean>;
  /** Removes an isolation of any agent of ours. Idempotent. */
  restore(): Promise<void>;
}

export interface OriginDeps {
  /** In a folder that only the agent can change. */
  stateFile: string;
  /** Files that were created earlier, in milliseconds since 1970, were there before the agent was. Null when unknown. */
  since: () => number | null;
  now: () => Date;
  failed: (why: unknown) => void;
  guard: GuardUserFiles;
}

export interface Os {
  info(): Omit<AgentInfo, 'agent_version' | 'limitations'>;
  /** Sentences for users about what the agent cannot do here. */
  limitations(): string[];
  /** Whether it can end programs that other users or the system started. */
  readonly endsOthers: boolean;
  /** Reports all programs at the start, then new or changed programs, at most `intervalMs` late. */
  watchProcesses(intervalMs: number, report: (processes: ProcessSeen[]) => void): { close(): void };
  /**
   * Ends this process and its descendants without asking them, and prevents restarts. True when all have ended, false when a process could
   * not be ended or must not be: a system process, the agent or its ancestors. Ends nothing if another process has reused the pid.
   */
  endTree(process: ProcessSeen, callbacks?: EndTreeCallbacks): Promise<boolean>;
  isRunning(process: SuspendedProcess): boolean;
  /**
   * Those of `libraries`, relative to the folder of the program at `path`, that exist there and whose names the program contains. Called for
   * each unknown program that starts, so it must be fast. Missing where it is not read.
   */
  namedLibraries?(path: string, libraries: string[]): string[];
  /** Call it only for programs whose command line matters, because it reads several processes. Null when it cannot be read. */
  commandOf(process: ProcessSeen): ProcessCommand | null;
  /**
   * Suspends these processes and their descendants, and returns all of them. Null when one of `roots` may not or could not be suspended; then
   * all go on. A program of the system may be suspended, unlike with `endTree`.
   */
  suspend(roots: SuspendedProcess[]): Promise<SuspendedProcess[] | null>;
  /** False when one of them goes on although `resume` was not called. */
  areSuspended(processes: SuspendedProcess[]): boolean;
  resume(processes: SuspendedProcess[]): void;
  /** Ends suspended processes, and what they started after somebody let them go on. True when all have ended. */
  endSuspended(processes: SuspendedProcess[]): Promise<boolean>;
  /** Reads the parents of a process that still runs. Costs up to one list of processes, so call it only for a detected program. */
  startedBy(process: ProcessSeen): StartedBy;
  /**
   * When the file of a running program was last changed or put in its place, in milliseconds since 1970, by the system's clock alone. Null
   * when unknown.
   */
  fileChanged(process: ProcessSeen): number | null;
  /** Is the computer shutting down? False also when unknown. */
  shuttingDown(): Promise<boolean>;
  /** Undefined where the system does not announce sleep in time. */
  watchSleep?(callbacks: SleepCallbacks): SleepWatch;
  /** Prevents programs with these file names from starting; replaces the earlier list. Undefined where unsupported. */
  denyStarts?(names: string[]): void;
  /** Allows restarts of ended programs that the policy no longer blocks. Undefined where restarts are not prevented. */
  allowRestarts?(isBlocked: (program: ProgramSeen) => boolean): void;
  /** Opens an address in the user's browser. False when there is no screen. */
  openWindow(url: string): boolean | Promise<boolean>;
  /**
   * Only the user to whom `openWindow` showed an address may open it, since every user can read a command line. Undefined where no command
   * line is used.
   */
  isForViewer?(url: string, connection: { from: number; to: number }): Promise<boolean>;
  resolver(): SystemResolver;
  hostsFile(): string;
  /** `guard`: for the settings of users. */
  browserPolicies(guard?: GuardUserFiles): BrowserPolicyStore;
  network(): SystemNetwork;
  doors(): SystemDoors;
  /** Where programs came from (P12.3). Null where that is not read. */
  origin(deps: OriginDeps): Promise<ProgramOrigin | null>;
  /** Reads only names, metadata, and hashes of downloaded programs. */
  listing(guard: GuardUserFiles): Promise<FoundListing>;
  files: UserFiles;
  /** Null for an unknown service, or when it cannot be queried. */
  serviceState(service: ServiceAt): Promise<ServiceState | null>;
  /** The state applies now and at the next start; idempotent. Ends a running service without asking it. True on success. */
  setService(service: ServiceAt, state: ServiceState): Promise<boolean>;
  startUpValue(location: { key: string; value: string }): Promise<string | null>;
  /** Null deletes the value. True on success. */
  setStartUpValue(location: { key: string; value: string }, content: string | null): Promise<boolean>;
}
