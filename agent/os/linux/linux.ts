import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { arch, hostname, release } from 'node:os';
import { join } from 'node:path';
import type { Os } from '../port.ts';
import { endTree, isSame } from './end-tree.ts';
import { linuxListing } from './listing/listing.ts';
import { services } from './services.ts';
import { shuttingDown } from './shutting-down.ts';
import { systemResolver } from './system-resolver.ts';
import { watchProc } from './watch.ts';

/** Linux, through /proc and signals. As root for the whole computer, otherwise for this user's own programs. */
export function linux(env: { PATH?: string | undefined; DISPLAY?: string | undefined; WAYLAND_DISPLAY?: string | undefined }): Os {
  const opener = onPath('xdg-open', env.PATH ?? '');
  const systemctl = onPath('systemctl', env.PATH ?? '');
  return {
    info: () => ({
      name: hostname().slice(0, 100),
      platform: 'linux',
      os_version: release(),
      arch: arch(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    }),
    limitations: () =>
      process.getuid?.() === 0
        ? []
        : ['Without root it cannot stop programs of other users or of the system, only those that you start yourself.'],
    watchProcesses: watchProc,
    endTree,
    isRunning: isSame,
    shuttingDown: () => shuttingDown(systemctl),
    resolver: () => systemResolver('/', systemctl),
    hostsFile: () => '/etc/hosts',
    listing: () => linuxListing(),
    ...services(systemctl),
    // There is no registry.
    startUpValue: async () => null,
    setStartUpValue: async () => false,
    openWindow(url) {
      if (!opener || !(env.DISPLAY || env.WAYLAND_DISPLAY)) return false;
      const child = spawn(opener, [url], { detached: true, stdio: 'ignore' });
      child.on('error', () => {});
      child.unref();
      return true;
    },
  };
}

function onPath(name: string, path: string): string | null {
  for (const folder of path.split(':').filter(Boolean)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
