import { fileURLToPath } from 'node:url';
import { canaryAddress, isCanary } from '../../lib/canary.ts';
import { ownedFiles } from '../../lib/files/owned-files.ts';
import { type JsonTree, valueAt, withoutValue, withValue } from '../../lib/json-tree.ts';
import type { DoorState } from '../doors.ts';
import type { LaunchedFile } from '../origin.ts';
import type { FoundListing, Os, ProcessCommand, ProcessSeen, ServerSocket, ServiceState, SleepCallbacks, StartedBy } from '../port.ts';

export interface FakeOs extends Omit<Os, 'endsOthers'> {
  endsOthers: boolean;
  start(process: Partial<ProcessSeen> & { name: string; command?: ProcessCommand }): ProcessSeen;
  running: Set<ProcessSeen>;
  /** What started the programs at these paths, and when their files changed; `other` and unknown if missing. */
  startedByPath: Map<string, StartedBy>;
  filesChanged: Map<string, number>;
  opened: string[];
  refusesToEnd: boolean;
  /** Paths of the programs that cannot be ended. */
  remains: string[];
  isShuttingDown: boolean;
  /** The files that programs run, by their path; others are of the system. */
  launched: Map<string, LaunchedFile>;
  /** Those of an ordinary computer, all closed; `openDoor` opens some, and announces it. */
  doorState: DoorState;
  openDoor(change: Partial<DoorState>): void;
  refusesToClose: boolean;
  /** How the programs with these pids were started. */
  commands: Map<number, ProcessCommand>;
  /** The pids of suspended processes. */
  suspended: Set<number>;
  refusesToSuspend: boolean;
  sleepCallbacks: SleepCallbacks | null;
  /** The DNS servers; the address `ours` is asked first, if set. */
  dns: { servers: string[]; ours: string | null };
  hosts_file: string;
  /** The policies of the only browser, a Chromium. */
  policies: JsonTree;
  /** Whether a user has switched Safe Browsing off in it. */
  isSafeBrowsingOff: boolean;
  /** The isolation in force; `cannotIsolate`: why there can be none. */
  isolated: { servers: ServerSocket[]; ms: number } | null;
  isolations: number;
  cannotIsolate: string | null;
  foundListing: FoundListing;
  services: Map<string, ServiceState>;
  /** Registry values of start-up entries, as `key\value`. */
  values: Map<string, string>;
}

const closedDoors: DoorState = {
  ...{ remote_desktop: false, remote_shell: false, screen_sharing: false, remote_assistance: false },
  ...{ administrators: ['root'], hosts_file: { entries: [] }, dns_changed_by_others: [], proxy: '' },
  ...{ own_service: 'on', own_files: 'ours' },
};

export function fakeOs(): FakeOs {
  const doorListeners = new Set<() => void>();
  const running = new Set<ProcessSeen>();
  const listeners = new Set<(processes: ProcessSeen[]) => void>();
  let nextPid = 1000;
  const fake: FakeOs = {
    running,
    startedByPath: new Map(),
    filesChanged: new Map(),
    opened: [],
    refusesToEnd: false,
    remains: [],
    isShuttingDown: false,
    launched: new Map(),
    doorState: closedDoors,
    openDoor(change) {
      fake.doorState = { ...fake.doorState, ...change };
      for (const changed of doorListeners) changed();
    },
    refusesToClose: false,
    commands: new Map(),
    suspended: new Set(),
    refusesToSuspend: false,
    sleepCallbacks: null,
    dns: { servers: [], ours: null },
    hosts_file: '/nonexistent/hosts',
    policies: {},
    isSafeBrowsingOff: false,
    isolated: null,
    isolations: 0,
    cannotIsolate: null,
    foundListing: { os: 'linux', programs: [], services: [], start_up: [], downloads: [] },
    services: new Map(),
    values: new Map(),
    start({ name, command, ...overrides }) {
      const pid = nextPid++;
      if (command) fake.commands.set(pid, command);
      const process: ProcessSeen = { pid, started: String(pid), path: `/opt/${name}`, program: { os: 'linux', name }, ...overrides };
      running.add(process);
      for (const report of listeners) report([process]);
      return process;
    },
    info: () => ({ name: 'fake-pc', platform: 'linux', os_version: '1', arch: 'x64', time_zone: 'UTC' }),
    limitations: () => [],
    endsOthers: true,
    watchProcesses(_every, report) {
      listeners.add(report);
      report([...running]);
      return { close: () => void listeners.delete(report) };
    },
    async endTree(process, callbacks) {
      callbacks?.suspended();
      if (!fake.refusesToEnd) running.delete(process);
      if (fake.remains.length) callbacks?.remains(fake.remains);
      return !fake.refusesToEnd && !fake.remains.length;
    },
    isRunning: ({ pid, started }) => [...running].some((one) => one.pid === pid && one.started === started),
    commandOf: ({ pid }) => fake.commands.get(pid) ?? null,
    async suspend(roots) {
      if (fake.refusesToSuspend) return null;
      for (const { pid } of roots) fake.suspended.add(pid);
      return roots.map(({ pid, started }) => ({ pid, started }));
    },
    areSuspended: (processes) => processes.every((one) => !fake.isRunning(one) || fake.suspended.has(one.pid)),
    resume(processes) {
      for (const { pid } of processes) fake.suspended.delete(pid);
    },
    async endSuspended(processes) {
      for (const one of [...running]) if (processes.some(({ pid }) => pid === one.pid)) running.delete(one);
      return true;
    },
    startedBy: ({ path }) => fake.startedByPath.get(path) ?? 'other',
    fileChanged: ({ path }) => fake.filesChanged.get(path) ?? null,
    watchSleep(callbacks) {
      fake.sleepCallbacks = callbacks;
      return { works: () => fake.sleepCallbacks === callbacks, close: () => void (fake.sleepCallbacks = null) };
    },
    shuttingDown: async () => fake.isShuttingDown,
    resolver: () => ({
      current: async () => ({ servers: fake.dns.servers, ours: fake.dns.ours !== null }),
      pointTo: async (address) => void (fake.dns.ours = address),
      resolve: async (name) => ({ address: fake.dns.ours && isCanary(name) ? canaryAddress : null, failed: false }),
      restore: async () => void (fake.dns.ours = null),
    }),
    files: ownedFiles({
      command: () => [process.execPath, fileURLToPath(new URL('../../lib/files/as-owner-process.ts', import.meta.url))],
    }),
    hostsFile: () => fake.hosts_file,
    browserPolicies: () => ({
      documents: async () => [{ id: 'the browser', format: 'chromium', own: false }],
      read: async (_document, path) => valueAt(fake.policies, path),
      isSetElsewhere: async () => false,
      isSafeBrowsingOff: async () => fake.isSafeBrowsingOff,
      missing: async () => [],
      set: async (_document, path, value) => void (fake.policies = withValue(fake.policies, path, value)),
      remove: async (_document, path) => void (fake.policies = withoutValue(fake.policies, path)),
      removeLeftovers: async () => {},
      removeIfEmpty: async () => {},
    }),
    network: () => ({
      unavailable: () => fake.cannotIsolate,
      async isolate(servers, ms) {
        fake.isolated = { servers, ms };
        fake.isolations++;
      },
      inForce: async () => fake.isolated !== null,
      restore: async () => void (fake.isolated = null),
    }),
    origin: async () => ({
      of: ({ path }) => fake.launched.get(path) ?? { file: path, id: path, origin: { from: 'local' } },
      ofFile: (_process, path) => fake.launched.get(path) ?? { file: path, id: path, origin: { from: 'unknown' } },
      close: () => {},
    }),
    doors: () => ({
      read: async () => fake.doorState,
      watch(changed) {
        doorListeners.add(changed);
        return { close: () => void doorListeners.delete(changed) };
      },
      async close(closable) {
        if (fake.refusesToClose) return false;
        const { hosts_file } = fake.doorState;
        fake.doorState =
          closable.door === 'hosts_file'
            ? { ...fake.doorState, hosts_file: { entries: (hosts_file?.entries ?? []).filter((one) => !closable.entries.includes(one)) } }
            : { ...fake.doorState, [closable.door]: closable.door === 'own_service' ? 'on' : false };
        return true;
      },
    }),
    listing: async () => fake.foundListing,
    serviceState: async ({ name }) => fake.services.get(name) ?? null,
    async setService({ name }, state) {
      if (!fake.refusesToEnd && fake.services.has(name)) fake.services.set(name, state);
      return !fake.refusesToEnd;
    },
    startUpValue: async ({ key, value }) => fake.values.get(`${key}\\${value}`) ?? null,
    async setStartUpValue({ key, value }, content) {
      if (fake.refusesToEnd) return false;
      if (content === null) fake.values.delete(`${key}\\${value}`);
      else fake.values.set(`${key}\\${value}`, content);
      return true;
    },
    openWindow(url) {
      fake.opened.push(url);
      return true;
    },
  };
  return fake;
}
