import { arch, hostname, release } from 'node:os';
import { win32 } from 'node:path';
import type { Os, ProcessSeen } from '../port.ts';
import { denyStarts } from './deny-starts.ts';
import { fileFacts, remoteFacts } from './file/file-facts.ts';
import { hives } from './listing/hives.ts';
import { windowsListing } from './listing/listing.ts';
import { windowsReaders } from './listing/readers.ts';
import { messages } from './messages.ts';
import { nameRule } from './name-rule.ts';
import { loadFiles } from './native/files.ts';
import { loadKernel } from './native/kernel.ts';
import { openRegistry } from './native/registry.ts';
import type { ServiceCalls } from './native/services.ts';
import { networkServers } from './network-servers.ts';
import { peoplesFiles } from './people/peoples-files.ts';
import { endTree, isRunning } from './processes/end-tree.ts';
import { processes } from './processes/processes.ts';
import { watchList } from './processes/watch.ts';
import { holdDown, letGo, letGoUnblocked, servicesIn } from './services/hold-down.ts';
import type { PowerEvents } from './services/power.ts';
import { services } from './services/services.ts';
import { serviceSwitch, switchedOff } from './services/switched-off.ts';

/** Whoever had a tool ended tries the next one: for so long it is looked more often. Both in milliseconds. */
const alert = { lasts: 10 * 60_000, every: 100 };

/** In place of a time: a program that was kept from starting, and so never ran. */
const deniedStart = 'denied-';

export interface WindowsDeps {
  /** Loaded once: the names of their types are there for the whole process. */
  calls: ServiceCalls;
  /** Is this the service? Else it was started by hand. */
  service: boolean;
  /** What Windows starts in place of a program that is denied. */
  instead: string;
  openWindow: (url: string) => boolean;
  /** What Windows says of sleep to a service. */
  power?: PowerEvents | null;
}

/** Windows, by its own lists. As a service for the whole computer, otherwise for this person's own programs. */
export function windows({ calls, service, instead, openWindow, power }: WindowsDeps) {
  const running = processes(loadKernel());
  const managed = services(calls);
  const registry = openRegistry();
  const written = hives(registry, openRegistry('users'), process.env);
  const facts = fileFacts();
  const slow = remoteFacts();
  const lists = new Set<(processes: ProcessSeen[]) => void>();
  const names = nameRule({ registry, servers: networkServers(), reread: () => void managed.reread('Dnscache') });
  let denied = 0;
  let alertUntil = 0;

  const os: Os = {
    info: () => ({
      name: hostname().slice(0, 100),
      platform: 'windows',
      os_version: release(),
      arch: arch(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    }),
    limitations: () => (service ? [] : [messages.byHand]),
    watchProcesses(every, seen) {
      const watch = watchList(running, facts, () => (performance.now() < alertUntil ? Math.min(every, alert.every) : every), seen, slow);
      lists.add(seen);
      return {
        close() {
          lists.delete(seen);
          watch.close();
        },
      };
    },
    async endTree(target, heard) {
      if (target.started.startsWith(deniedStart)) {
        heard?.suspended();
        return true;
      }
      alertUntil = performance.now() + alert.lasts;
      let held: string[] = [];
      return endTree(running, target, process.pid, {
        suspended(tree) {
          // Which services run in it is known only as long as it does. To ask for all takes longer than all the rest, and each is started by one program.
          const parent = running.list().find(({ pid }) => pid === tree[0]?.ppid);
          const started = service && (!parent || parent.name.toLowerCase() === 'services.exe');
          if (started) held = servicesIn(managed, new Set(tree.map(({ pid }) => pid)));
          heard?.suspended();
        },
        terminated: () => holdDown(managed, registry, target.program, held),
        remains: (paths) => heard?.remains(paths),
      });
    },
    isRunning: (target) => isRunning(running, target),
    ...(power ? { watchSleep: power.watch } : {}),
    shuttingDown: async () => false,
    openWindow,
    resolver: () => names,
    files: peoplesFiles(loadFiles()),
    hostsFile: () => win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts'),
    listing: () => windowsListing(windowsReaders(written.key, facts, process.env)),
    startUpValue: written.startUpValue,
    setStartUpValue: written.setStartUpValue,
    ...serviceSwitch(managed, registry, async (pid) => {
      const started = running.list().find((one) => one.pid === pid)?.started;
      return started === undefined || endTree(running, { pid, started });
    }),
    ...(service
      ? {
          denyStarts: (programs: string[]) => denyStarts(registry, instead, programs),
          letGo: (blocked: (program: ProcessSeen['program']) => boolean) => letGoUnblocked(managed, registry, blocked),
        }
      : {}),
  };
  return {
    os,
    names,
    /** Windows has kept this file from being started: to be judged, and told, like one that has just ended. */
    blocked(path: string): void {
      const seen = { os: 'windows' as const, name: win32.basename(path), path, ...facts(path) };
      denied++;
      for (const list of lists) list([{ pid: 0, started: `${deniedStart}${denied}`, path, program: seen }]);
    },
    /**
     * Everything as it was before us: programs may start, names are asked as before. Services are started as before only when somebody stops us
     * or takes us off: after a restart of the computer they would be there before we are. Those that the look at this computer switched off stay so
     * until we are taken off.
     */
    async restore(why: 'stopped' | 'shutdown' | 'killed' | 'removed'): Promise<void> {
      await names.restore();
      denyStarts(registry, instead, []);
      if (why === 'stopped' || why === 'removed') letGo(managed, registry);
      if (why === 'removed') letGo(managed, registry, switchedOff);
    },
  };
}
