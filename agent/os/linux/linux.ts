import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { arch, hostname, release } from 'node:os';
import { join } from 'node:path';
import { ownedFiles, ownerCommand } from '../../lib/files/owned-files.ts';
import { givingBack } from '../../lib/give-back.ts';
import type { Os, SleepHeard } from '../port.ts';
import { actsForOthers } from './acts-for-others.ts';
import { showAtScreen } from './desktop/show.ts';
import { endTree, isSame } from './end-tree.ts';
import { giveBack } from './give-back.ts';
import { linuxListing } from './listing/listing.ts';
import { messages } from './messages.ts';
import { processEvents } from './process-events.ts';
import { services } from './services.ts';
import { shuttingDown } from './shutting-down.ts';
import { watchSleep } from './sleep.ts';
import { systemResolver } from './system-resolver.ts';
import { timeZone } from './time-zone.ts';
import { viewersOf } from './viewers.ts';
import { type Watching, watchProc } from './watch.ts';

/** There as long as systemd runs the computer: sd_booted(3). */
const booted = '/run/systemd/system';

/** Linux, through /proc and signals. As root for the whole computer, otherwise for this user's own programs. */
export function linux(
  env: Partial<Record<'PATH' | 'DISPLAY' | 'WAYLAND_DISPLAY' | 'SUDO_UID' | 'TZ' | 'AGENT_PROCESS_EVENTS', string | undefined>>,
): Os {
  const tool = (name: string) => onPath(name, env.PATH ?? '');
  const [opener, systemctl] = [tool('xdg-open'), tool('systemctl')];
  // Without root it works on nobody else's files anyway.
  const rights = process.getuid?.() !== 0 ? [messages.notRoot] : actsForOthers() ? [] : [messages.notOthers];
  /** Does the kernel tell of each program that starts? Hoped for until it is known. */
  let told = true;
  const viewers = viewersOf();
  const memory = givingBack(giveBack);
  let watching: Watching | null = null;
  return {
    info: () => ({
      name: hostname().slice(0, 100),
      platform: 'linux',
      os_version: release(),
      arch: arch(),
      time_zone: timeZone(env.TZ),
    }),
    limitations: () => [...rights, ...(told ? [] : [messages.late])],
    watchProcesses(every, seen) {
      // All is looked at anew because something else is in force: what that was read from is done with.
      memory.soon();
      watching = watchProc(every, seen, env.AGENT_PROCESS_EVENTS === 'off' ? null : processEvents);
      void watching.told.then((answer) => {
        told = answer;
      });
      return watching;
    },
    async endTree(process, heard) {
      const ended = await endTree(process, heard);
      // It may have split something off and gone before us.
      watching?.look();
      return ended;
    },
    isRunning: isSame,
    // Only root may listen to the system's bus.
    ...(process.getuid?.() === 0 && existsSync(booted)
      ? {
          watchSleep: (heard: SleepHeard) =>
            watchSleep({ busctl: tool('busctl'), 'systemd-inhibit': tool('systemd-inhibit'), cat: tool('cat') }, heard),
        }
      : {}),
    shuttingDown: () => shuttingDown(systemctl),
    resolver: () => systemResolver('/', systemctl),
    files: ownedFiles({ command: ownerCommand(process) }),
    hostsFile: () => '/etc/hosts',
    listing: () => linuxListing(),
    ...services(systemctl),
    // There is no registry.
    startUpValue: async () => null,
    setStartUpValue: async () => false,
    isForViewer: viewers.isTheirs,
    openWindow(url) {
      const others = { loginctl: tool('loginctl'), 'systemd-run': tool('systemd-run'), setpriv: tool('setpriv') };
      const desktop = env.DISPLAY || env.WAYLAND_DISPLAY;
      // The service has no desktop of its own, and with sudo it is another person's.
      if (process.getuid?.() === 0 && (!desktop || env.SUDO_UID)) {
        const chosen = ({ uid }: { uid: number }) => viewers.add(url, uid);
        return showAtScreen(url, { tools: { 'xdg-open': opener, ...others }, chosen });
      }
      if (!opener || !desktop) return false;
      viewers.add(url, process.getuid?.() ?? 0);
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
