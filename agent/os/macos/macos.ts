import { arch, hostname, release } from 'node:os';
import { dirname, join } from 'node:path';
import { ownedFiles, ownerCommand } from '../../lib/files/owned-files.ts';
import type { Os } from '../port.ts';
import { macBrowserPolicies } from './browser-policies.ts';
import { macDoors } from './doors/doors.ts';
import { endTree, isSameProcess } from './end-tree.ts';
import { macListing } from './listing/listing.ts';
import { macReaders } from './listing/readers.ts';
import type { MacNative } from './native.ts';
import { macosNetwork } from './network.ts';
import { programReader } from './program.ts';
import { macResolver } from './resolver.ts';
import { type ScreenPaths, screenPaths, showAtScreen, showHere } from './screen.ts';
import { serviceState, setService } from './services.ts';
import { fileChanged, startedBy } from './started-by.ts';
import { endSuspended, resume, suspend } from './suspend.ts';
import { watchPids } from './watch.ts';

export interface MacPaths extends ScreenPaths {
  /** File with the DNS servers before our change. */
  dnsFile: string;
}

export const macPaths: MacPaths = {
  ...screenPaths,
  dnsFile: '/Library/Application Support/Porchlight/names.json',
};

/** Where the package installs the agent; null for an agent that was started by hand. */
const ownService = (execPath: string) =>
  execPath.startsWith(`${dirname(macPaths.dnsFile)}/`) ? { folder: dirname(macPaths.dnsFile), label: 'example.porchlight.agent' } : null;

export interface MacOptions {
  root: boolean;
  paths?: MacPaths;
}

export function macos(native: MacNative, { root, paths = macPaths }: MacOptions): Os {
  const readProgram = programReader();
  return {
    info: () => ({
      name: hostname()
        .replace(/\.local$/, '')
        .slice(0, 100),
      platform: 'macos',
      os_version: release(),
      arch: arch(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    }),
    endsOthers: root,
    limitations: () => (root ? [] : ['Without root access it can’t stop programs that other users or the system start, only your own.']),
    watchProcesses: (intervalMs, report) => watchPids(native, intervalMs, readProgram, report),
    endTree: (process, callbacks) => endTree(native, process, callbacks),
    isRunning: (process) => isSameProcess(native, process),
    // Reading command lines there has not been seen yet on a real Mac (release checks).
    commandOf: () => null,
    suspend: (roots) => suspend(native, roots),
    areSuspended: () => true,
    resume: (processes) => resume(native, processes),
    endSuspended: (processes) => endSuspended(native, processes),
    startedBy: (process) => startedBy(native, process),
    fileChanged,
    // launchd sends the same signal to stop one service and at shutdown.
    shuttingDown: async () => (await native.run('/usr/sbin/sysctl', ['-n', 'kern.willshutdown'])).out.trim() === '1',
    resolver: () => macResolver(native, paths.dnsFile),
    files: ownedFiles({ command: ownerCommand(process) }),
    hostsFile: () => '/etc/hosts',
    browserPolicies: (guard) => macBrowserPolicies({ native, users: () => macReaders(root, readProgram), ...(guard ? { guard } : {}) }),
    network: () => macosNetwork(native, { root, file: join(dirname(paths.dnsFile), 'isolation') }),
    origin: async () => null,
    doors: () => macDoors({ native, dnsFile: paths.dnsFile, own: ownService(process.execPath) }),
    listing: async () => macListing(await macReaders(root, readProgram)),
    serviceState: (service) => serviceState(native, service),
    // By convention, a property list is named after its job's label.
    setService: (service, state) => setService(native, service, state, `/Library/LaunchDaemons/${service.name}.plist`),
    startUpValue: async () => null,
    setStartUpValue: async () => false,
    openWindow: (url) => (root ? showAtScreen(native, url, paths) : showHere(native, url)),
  };
}
