import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, readlinkSync } from 'node:fs';
import { arch, hostname, release } from 'node:os';
import { join } from 'node:path';
import { ownedFiles, ownerCommand } from '../../lib/files/owned-files.ts';
import { memoryRelease } from '../../lib/free-memory.ts';
import { namedLibraries } from '../../lib/named-libraries.ts';
import type { Os, SleepCallbacks } from '../port.ts';
import { linuxBrowserPolicies } from './browser-policies.ts';
import { commandOf } from './command.ts';
import { showAtScreen } from './desktop/show.ts';
import { linuxDoors } from './doors/doors.ts';
import { endTree, isSameProcess } from './end-tree.ts';
import { linuxListing } from './listing/listing.ts';
import { messages } from './messages.ts';
import { linuxNetwork } from './network.ts';
import { linuxOrigin } from './origin/program-origin.ts';
import { processEvents } from './process-events.ts';
import { services } from './services.ts';
import { watchSleep } from './sleep.ts';
import { fileChanged, startedBy } from './started-by.ts';
import { areSuspended, endSuspended, resume, suspend } from './suspend.ts';
import { systemResolver } from './system-resolver.ts';
import { openedAddresses } from './viewers.ts';
import { type ProcessWatch, watchProc } from './watch.ts';

/** Exists if systemd runs: sd_booted(3). */
const SYSTEMD_MARKER = '/run/systemd/system';

export function linux(
  env: Partial<Record<'PATH' | 'DISPLAY' | 'WAYLAND_DISPLAY' | 'SUDO_UID' | 'TZ' | 'AGENT_PROCESS_EVENTS', string | undefined>>,
): Os {
  const findTool = (name: string) => findOnPath(name, env.PATH ?? '');
  const [openerPath, systemctl] = [findTool('xdg-open'), findTool('systemctl')];
  // Without root access the agent never touches other users' files.
  const rootLimitations = process.getuid?.() !== 0 ? [messages.notRoot] : canSwitchUser() ? [] : [messages.notOthers];
  /** Assumed until the kernel has answered. */
  let kernelReports = true;
  const systemServices = services(systemctl);
  const viewers = openedAddresses();
  const memory = memoryRelease();
  let processWatch: ProcessWatch | null = null;
  return {
    info: () => ({
      name: hostname().slice(0, 100),
      platform: 'linux',
      os_version: release(),
      arch: arch(),
      time_zone: timeZone(env.TZ),
    }),
    endsOthers: process.getuid?.() === 0,
    limitations: () => [...rootLimitations, ...(kernelReports ? [] : [messages.late])],
    watchProcesses(intervalMs, report) {
      // Definitions or settings were just loaded: memory of their input can be freed.
      memory.soon();
      processWatch = watchProc(intervalMs, report, env.AGENT_PROCESS_EVENTS === 'off' ? null : processEvents);
      void processWatch.kernelReports.then((answer) => {
        kernelReports = answer;
      });
      return processWatch;
    },
    async endTree(process, callbacks) {
      const isEnded = await endTree(process, callbacks);
      // The program may have started a detached process before it was suspended.
      processWatch?.scan();
      return isEnded;
    },
    isRunning: isSameProcess,
    namedLibraries,
    commandOf,
    suspend,
    areSuspended,
    resume,
    endSuspended,
    startedBy,
    fileChanged,
    // Only root may monitor the system bus.
    ...(process.getuid?.() === 0 && existsSync(SYSTEMD_MARKER)
      ? {
          watchSleep: (callbacks: SleepCallbacks) =>
            watchSleep({ busctl: findTool('busctl'), 'systemd-inhibit': findTool('systemd-inhibit'), cat: findTool('cat') }, callbacks),
        }
      : {}),
    shuttingDown: () => shuttingDown(systemctl),
    resolver: () => systemResolver('/', systemctl),
    files: ownedFiles({ command: ownerCommand(process) }),
    hostsFile: () => '/etc/hosts',
    browserPolicies: (guard) => linuxBrowserPolicies('/', process.getuid?.(), guard),
    // The PATH of a user who became root may lack the folders of an administrator.
    network: () => linuxNetwork(findOnPath('nft', `${env.PATH ?? ''}:/usr/sbin:/sbin`), process.getuid?.() === 0),
    origin: (deps) => linuxOrigin({ root: '/', onlyUid: process.getuid?.() === 0 ? null : (process.getuid?.() ?? null), ...deps }),
    doors: () => linuxDoors({ own: ownUnit(process.execPath), setService: systemServices.setService }),
    listing: (guard) => linuxListing('/', process.getuid?.() ?? 0, guard),
    ...systemServices,
    startUpValue: async () => null,
    setStartUpValue: async () => false,
    isForViewer: viewers.mayOpen,
    openWindow(url) {
      const desktopTools = { loginctl: findTool('loginctl'), 'systemd-run': findTool('systemd-run'), setpriv: findTool('setpriv') };
      const display = env.DISPLAY || env.WAYLAND_DISPLAY;
      // Under sudo the desktop belongs to another user.
      if (process.getuid?.() === 0 && (!display || env.SUDO_UID)) {
        const rememberViewer = ({ uid }: { uid: number }) => viewers.add(url, uid);
        return showAtScreen(url, { tools: { 'xdg-open': openerPath, ...desktopTools }, chosen: rememberViewer });
      }
      if (!openerPath || !display) return false;
      viewers.add(url, process.getuid?.() ?? 0);
      const child = spawn(openerPath, [url], { detached: true, stdio: 'ignore' });
      child.on('error', () => {});
      child.unref();
      return true;
    },
  };
}

/** Where the package installs the agent; null for an agent that was started by hand. */
const ownUnit = (execPath: string) =>
  execPath.startsWith('/opt/porchlight/') ? { folder: '/opt/porchlight', unit: 'porchlight-agent.service' } : null;

function findOnPath(name: string, path: string): string | null {
  for (const folder of path.split(':').filter(Boolean)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {}
  }
  return null;
}

/** Bits of CAP_SETGID and CAP_SETUID in capability.h. */
const requiredCapabilities = [6n, 7n];

/** A systemd unit or a container may forbid switching to another user, even as root. */
function canSwitchUser(): boolean {
  const [, effectiveCapabilities = '0'] = /^CapEff:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return requiredCapabilities.every((bit) => (BigInt(`0x${effectiveCapabilities}`) >> bit) & 1n);
}

const SYSTEMCTL_TIMEOUT_MS = 1000;

/**
 * systemd sends the same SIGTERM to stop one service and at shutdown, but its state is `stopping` from the start of a shutdown. False
 * without systemd, since a needless notification is better than a missing one.
 */
function shuttingDown(systemctl: string | null): Promise<boolean> {
  if (!systemctl) return Promise.resolve(false);
  return new Promise((resolve) => {
    // The error is ignored: it means any state but `running`.
    execFile(systemctl, ['is-system-running'], { timeout: SYSTEMCTL_TIMEOUT_MS }, (_err, stdout) =>
      resolve(String(stdout).trim() === 'stopping'),
    );
  });
}

/** Reads TZ or /etc/localtime. The JavaScript engine is only a fallback: it keeps 8 MB of tables in memory. */
export function timeZone(tz: string | undefined, localtime = '/etc/localtime'): string {
  const zone = zoneNamePattern.exec(tz ?? '')?.[0] ?? (tz ? null : zoneOf(localtime));
  return zone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}

/** A zone name `Area/Location`, not abbreviations or rules such as `CET-1CEST`. */
const zoneNamePattern = /^(?:[A-Z][A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+|UTC)$/;

function zoneOf(link: string): string | null {
  try {
    const [, name = ''] = readlinkSync(link).split('/zoneinfo/', 2);
    return name === 'Etc/UTC' ? 'UTC' : (zoneNamePattern.exec(name)?.[0] ?? null);
  } catch {
    return null;
  }
}
