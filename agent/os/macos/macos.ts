import { arch, hostname, release } from 'node:os';
import { ownedFiles, ownerCommand } from '../../lib/files/owned-files.ts';
import type { Os } from '../port.ts';
import { endTree, isSame } from './end-tree.ts';
import { macListing } from './listing/listing.ts';
import { macReaders } from './listing/readers.ts';
import type { MacNative } from './native.ts';
import { programReader } from './program.ts';
import { macResolver } from './resolver.ts';
import { type ScreenPlaces, screenPlaces, showAtScreen, showHere } from './screen.ts';
import { serviceState, setService } from './services.ts';
import { watchPids } from './watch.ts';

export interface MacPlaces extends ScreenPlaces {
  /** Who was asked for names before us. */
  names: string;
}

export const macPlaces: MacPlaces = {
  ...screenPlaces,
  names: '/Library/Application Support/Porchlight/names.json',
};

/** macOS, through libproc and signals. As root for the whole computer, otherwise for this user's own programs. */
export function macos(native: MacNative, { root, places = macPlaces }: { root: boolean; places?: MacPlaces }): Os {
  const program = programReader();
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
    limitations: () => (root ? [] : ['Without root access it can’t stop programs that other users or the system start, only your own.']),
    watchProcesses: (every, seen) => watchPids(native, every, program, seen),
    endTree: (process, heard) => endTree(native, process, heard),
    isRunning: (process) => isSame(native, process),
    // Set by the kernel once the computer goes down; launchd's signal is the same for one service and for all.
    shuttingDown: async () => (await native.run('/usr/sbin/sysctl', ['-n', 'kern.willshutdown'])).out.trim() === '1',
    resolver: () => macResolver(native, places.names),
    files: ownedFiles({ command: ownerCommand(process) }),
    // A link to /private/etc.
    hostsFile: () => '/etc/hosts',
    listing: async () => macListing(await macReaders(root, program)),
    serviceState: (service) => serviceState(native, service),
    // Where launchd's jobs lie is a custom that all makers keep.
    setService: (service, state) => setService(native, service, state, `/Library/LaunchDaemons/${service.name}.plist`),
    // There is no registry.
    startUpValue: async () => null,
    setStartUpValue: async () => false,
    openWindow: (url) => (root ? showAtScreen(native, url, places) : showHere(native, url)),
  };
}
