import { fileURLToPath } from 'node:url';
import { ownedFiles } from '../../lib/files/owned-files.ts';
import type { FoundListing, Os, ProcessSeen, ServiceState, SleepHeard } from '../port.ts';

export interface FakeOs extends Os {
  /** A program starts; what it starts with is up to the test. */
  start(process: Partial<ProcessSeen> & { name: string }): ProcessSeen;
  running: Set<ProcessSeen>;
  opened: string[];
  /** While true nothing can be ended. */
  refuses: boolean;
  /** What of each tree cannot be ended. */
  remains: string[];
  /** The computer is going down. */
  down: boolean;
  /** Who hears of sleep. */
  sleeper: SleepHeard | null;
  /** How names are looked up: of `ours` first, if it is not null. */
  names: { servers: string[]; ours: string | null };
  hosts_file: string;
  /** What lies on it. */
  lies: FoundListing;
  services: Map<string, ServiceState>;
  /** Start-up values, as `key\value`. */
  values: Map<string, string>;
}

/** An operating system that does as the test says. */
export function fakeOs(): FakeOs {
  const running = new Set<ProcessSeen>();
  const listeners = new Set<(processes: ProcessSeen[]) => void>();
  let next = 1000;
  const fake: FakeOs = {
    running,
    opened: [],
    refuses: false,
    remains: [],
    down: false,
    sleeper: null,
    names: { servers: [], ours: null },
    hosts_file: '/nonexistent/hosts',
    lies: { os: 'linux', programs: [], services: [], start_up: [], downloads: [] },
    services: new Map(),
    values: new Map(),
    start({ name, ...more }) {
      const pid = next++;
      const process: ProcessSeen = { pid, started: String(pid), path: `/opt/${name}`, program: { os: 'linux', name }, ...more };
      running.add(process);
      for (const seen of listeners) seen([process]);
      return process;
    },
    info: () => ({ name: 'fake-pc', platform: 'linux', os_version: '1', arch: 'x64', time_zone: 'UTC' }),
    limitations: () => [],
    watchProcesses(_every, seen) {
      listeners.add(seen);
      seen([...running]);
      return { close: () => void listeners.delete(seen) };
    },
    async endTree(process, heard) {
      heard?.suspended();
      if (!fake.refuses) running.delete(process);
      if (fake.remains.length) heard?.remains(fake.remains);
      return !fake.refuses && !fake.remains.length;
    },
    isRunning: (process) => running.has(process),
    watchSleep(heard) {
      fake.sleeper = heard;
      return { works: () => fake.sleeper === heard, close: () => void (fake.sleeper = null) };
    },
    shuttingDown: async () => fake.down,
    resolver: () => ({
      current: async () => ({ servers: fake.names.servers, ours: fake.names.ours !== null }),
      pointTo: async (address) => void (fake.names.ours = address),
      restore: async () => void (fake.names.ours = null),
    }),
    files: ownedFiles({
      command: () => [process.execPath, fileURLToPath(new URL('../../lib/files/as-owner-process.ts', import.meta.url))],
    }),
    hostsFile: () => fake.hosts_file,
    listing: async () => fake.lies,
    serviceState: async ({ name }) => fake.services.get(name) ?? null,
    async setService({ name }, state) {
      if (!fake.refuses && fake.services.has(name)) fake.services.set(name, state);
      return !fake.refuses;
    },
    startUpValue: async ({ key, value }) => fake.values.get(`${key}\\${value}`) ?? null,
    async setStartUpValue({ key, value }, content) {
      if (fake.refuses) return false;
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
