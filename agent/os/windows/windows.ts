import { arch, hostname, release } from 'node:os';
import { win32 } from 'node:path';
import { namedLibraries } from '../../lib/named-libraries.ts';
import { textOf } from '../../lib/replace-file.ts';
import { MAX_PROFILE_BYTES } from '../../lib/safe-browsing.ts';
import { unguarded } from '../../lib/user-file-work.ts';
import type { Os, ProcessSeen } from '../port.ts';
import { windowsBrowserPolicies } from './browser-policies.ts';
import { denyStarts } from './deny-starts.ts';
import { dnsRule } from './dns-rule.ts';
import { windowsDoors } from './doors/doors.ts';
import { loadDoorCalls } from './doors/native.ts';
import { fileFacts, isLocal, remoteFacts } from './file/file-facts.ts';
import { lastingDenials } from './lasting-denials.ts';
import { hives } from './listing/hives.ts';
import { windowsListing } from './listing/listing.ts';
import { peopleOf, windowsReaders } from './listing/readers.ts';
import { messages } from './messages.ts';
import { loadFiles } from './native/files.ts';
import { loadKernel } from './native/kernel.ts';
import { openRegistry } from './native/registry.ts';
import type { ServiceCalls } from './native/services.ts';
import { windowsNetwork } from './network.ts';
import { networkServers } from './network-servers.ts';
import { windowsOrigin } from './origin.ts';
import { ownServiceHere } from './own-service-here.ts';
import { userFiles, userText } from './people/user-files.ts';
import { commandOf } from './processes/command.ts';
import { endTree, isRunning } from './processes/end-tree.ts';
import { processes } from './processes/processes.ts';
import { fileChanged, startedBy } from './processes/started-by.ts';
import { suspensions } from './processes/suspend.ts';
import { watchList } from './processes/watch.ts';
import { disableServices, findServices, restoreStartTypes, restoreUnblocked } from './services/disable-services.ts';
import type { PowerEvents } from './services/power.ts';
import { serviceName } from './services/run-as-service.ts';
import { services } from './services/services.ts';
import { serviceSwitch, switchedOffKey } from './services/switched-off.ts';
import { settingsWithHome } from './settings.ts';

/** After a tool was ended, users often try another: scans are more frequent for this long. */
const FREQUENT_SCAN = { lasts: 10 * 60_000, every: 100 };

/** Replaces the start time of a program that was prevented from starting. */
const deniedStartPrefix = 'denied-';

export interface WindowsDeps {
  /** Loaded only once, because koffi type names are global. */
  calls: ServiceCalls;
  /** Running as the service, not by hand? */
  service: boolean;
  /** The command that Windows runs in place of a denied program. */
  deniedCommand: string;
  openWindow: (url: string) => boolean;
  /** Sleep events, only available to a service. */
  power?: PowerEvents | null;
  log?: (sentence: string) => void;
}

export function windows({ calls, service, deniedCommand, openWindow, power, log = () => {} }: WindowsDeps) {
  const processTable = processes(loadKernel());
  const suspended = suspensions(processTable);
  const systemServices = services(calls);
  const fileCalls = loadFiles();
  const registry = openRegistry();
  const users = openRegistry('users');
  const registryHives = hives(registry, users, process.env);
  const readFacts = fileFacts();
  const readRemoteFacts = remoteFacts();
  const listeners = new Set<(processes: ProcessSeen[]) => void>();
  const dns = dnsRule({ registry, servers: networkServers(), reread: () => void systemServices.reread('Dnscache') });
  const denials = lastingDenials({
    ...{ registry, command: deniedCommand, watchKeys: (keys) => loadDoorCalls().watchKeys(keys) },
    givenUp: () => log(messages.denialsRemoved),
  });
  let deniedCount = 0;
  let frequentUntil = 0;

  const os: Os = {
    info: () => ({
      name: hostname().slice(0, 100),
      platform: 'windows',
      os_version: release(),
      arch: arch(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    }),
    endsOthers: service,
    limitations: () => (service ? [] : [messages.byHand]),
    watchProcesses(intervalMs, report) {
      const watch = watchList(
        processTable,
        readFacts,
        () => (performance.now() < frequentUntil ? Math.min(intervalMs, FREQUENT_SCAN.every) : intervalMs),
        report,
        readRemoteFacts,
      );
      listeners.add(report);
      return {
        close() {
          listeners.delete(report);
          watch.close();
        },
      };
    },
    async endTree(target, callbacks) {
      if (target.started.startsWith(deniedStartPrefix)) {
        callbacks?.suspended();
        return true;
      }
      frequentUntil = performance.now() + FREQUENT_SCAN.lasts;
      let serviceNames: string[] = [];
      return endTree(processTable, target, process.pid, {
        suspended(tree) {
          // A process's services are known only while it runs. The list is slow, and services are children of services.exe, so other
          // programs skip it.
          const parent = processTable.list().find(({ pid }) => pid === tree[0]?.ppid);
          const mayBeService = service && (!parent || parent.name.toLowerCase() === 'services.exe');
          if (mayBeService) serviceNames = findServices(systemServices, new Set(tree.map(({ pid }) => pid)));
          callbacks?.suspended();
        },
        terminated: () => disableServices(systemServices, registry, target.program, serviceNames),
        remains: (paths) => callbacks?.remains(paths),
      });
    },
    isRunning: (target) => isRunning(processTable, target),
    namedLibraries: (path, libraries) => (isLocal(path) ? namedLibraries(path, libraries) : []),
    commandOf: (target) => commandOf(processTable, target),
    suspend: suspended.suspend,
    // Windows does not show it without reading each thread, and nothing on the desktop lets a process go on.
    areSuspended: () => true,
    resume: suspended.resume,
    endSuspended: suspended.endSuspended,
    startedBy: (target) => startedBy(processTable, systemServices, target),
    // Windows Installer runs packages, whose changes are unknown.
    fileChanged: (target) => (target.runs ? null : fileChanged(target)),
    ...(power ? { watchSleep: power.watch } : {}),
    shuttingDown: async () => false,
    openWindow,
    resolver: () => dns,
    files: userFiles(fileCalls),
    hostsFile: () => win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts'),
    browserPolicies: (guard = unguarded) =>
      windowsBrowserPolicies({
        ...{ machine: registry, users, textOf, programFiles: process.env.ProgramFiles ?? 'C:\\Program Files' },
        profiles: () => ({
          people: peopleOf(registryHives.key).map(({ sid, folder }) => ({ user: sid, folder })),
          text: (home, names) => userText(fileCalls, win32.join(home, ...names), MAX_PROFILE_BYTES),
          guard,
        }),
      }),
    network: () => windowsNetwork({ registry, service, folder: () => settingsWithHome(process.env).home }),
    async origin() {
      const origin = windowsOrigin(fileCalls);
      return { ...origin, of: (process) => origin.of({ ...process, command_line: processTable.commandLineOf(process.pid) ?? '' }) };
    },
    doors: () =>
      windowsDoors({
        ...{ registry, services: systemServices, calls: loadDoorCalls(), computer: hostname() },
        setService: (service, state) => os.setService(service, state),
        systemRoot: process.env.SystemRoot ?? 'C:\\Windows',
        own: service ? { folder: win32.dirname(process.execPath), name: serviceName, service: ownServiceHere(calls) } : null,
      }),
    listing: () => windowsListing(windowsReaders(registryHives.key, readFacts, process.env)),
    startUpValue: registryHives.startUpValue,
    setStartUpValue: registryHives.setStartUpValue,
    ...serviceSwitch(systemServices, registry, async (pid) => {
      const started = processTable.list().find((one) => one.pid === pid)?.started;
      return started === undefined || endTree(processTable, { pid, started });
    }),
    ...(service
      ? {
          denyStarts: denials.deny,
          allowRestarts: (isBlocked: (program: ProcessSeen['program']) => boolean) => restoreUnblocked(systemServices, registry, isBlocked),
        }
      : {}),
  };
  return {
    os,
    names: dns,
    /** For an agent whose successor goes on with what is denied. */
    handOver(): void {
      denials.end();
    },
    /** Handles a file that Windows prevented from starting like a program that has just ended. */
    blocked(path: string): void {
      const program = { os: 'windows' as const, name: win32.basename(path), path, ...readFacts(path) };
      deniedCount++;
      for (const report of listeners) report([{ pid: 0, started: `${deniedStartPrefix}${deniedCount}`, path, program }]);
    },
    /**
     * Undoes denied starts and DNS settings. Restores disabled services only after a stop or a removal: after a reboot they could otherwise
     * start before us. Services switched off by a scan are restored only on removal.
     */
    async restore(reason: 'stopped' | 'shutdown' | 'killed' | 'removed'): Promise<void> {
      await dns.restore();
      denials.end();
      denyStarts(registry, deniedCommand, []);
      if (reason === 'stopped' || reason === 'removed') restoreStartTypes(systemServices, registry);
      if (reason === 'removed') restoreStartTypes(systemServices, registry, switchedOffKey);
    },
  };
}
