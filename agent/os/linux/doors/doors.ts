import { join } from 'node:path';
import {
  type After,
  type DoorState,
  hostsReader,
  isMissing,
  programStamp,
  removeFromHosts,
  type SystemDoors,
  watchFolders,
} from '../../doors.ts';
import type { ServiceAt, ServiceState } from '../../port.ts';
import { readAccounts } from './accounts.ts';
import { serversByHand, systemProxy } from './network-settings.ts';
import { listeners, socketOwners } from './sockets.ts';
import { type Home, readUnits } from './units.ts';

export interface LinuxDoorDeps {
  /** The root folder; `/` but in tests. */
  root?: string;
  /** The folder of our program and its unit; null when the agent was not installed. */
  own: { folder: string; unit: string } | null;
  setService: (service: ServiceAt, state: ServiceState) => Promise<boolean>;
  after?: After;
}

const shellUnits = /^(sshd?|dropbear|sshd@.*|ssh@.*)\.(service|socket)$/;
/** The remote login of GNOME is the same unit as its desktop sharing, for the system instead of a user. */
const desktopUnits = /^(xrdp|xrdp-sesman|gnome-remote-desktop)\.service$/;
const sharingUnits =
  /^(gnome-remote-desktop|krfb|app-org\.kde\.krfb|vino-server|x11vnc|wayvnc|x0vncserver|(tiger|turbo)?vncserver(@.*)?)\.(service|socket)$/;
const patterns = [shellUnits, desktopUnits, sharingUnits];

const [SSH, RDP, FIRST_VNC, LAST_VNC] = [22, 3389, 5900, 5910];
/** They show the screens of virtual machines, or pass a connection on to a container. */
const virtualMachines = /^(qemu|kvm|VBox|vmware|docker-proxy|rootlessport|conmon|containerd)/;
/** Linux cuts the name of a program to 15 characters. */
const gnomeDesktop = /^gnome-remote-de/;
const FIRST_UID = 1000;

export function linuxDoors({ root = '/', own, setService, after }: LinuxDoorDeps): SystemDoors {
  const at = (path: string) => join(root, path);
  const readHosts = hostsReader();
  const ownersOf = socketOwners(root);
  const unitFolder = at('etc/systemd/system');
  const ownUnit = own && {
    files: [at('usr/lib/systemd/system'), unitFolder].map((folder) => join(folder, own.unit)),
    dropIns: join(unitFolder, `${own.unit}.d`),
  };

  const units = async (homes: Home[]) => {
    const found = await readUnits(root, homes, (name) => name === own?.unit || patterns.some((pattern) => pattern.test(name)));
    if (!found) return { shell: null, desktop: null, sharing: null, isOwnEnabled: null };
    const all = [...found.enabled, ...found.running];
    const unique = all.filter(({ name, user }, n) => all.findIndex((one) => one.name === name && one.user === user) === n);
    return {
      shell: unique.filter(({ name, user }) => user === undefined && shellUnits.test(name)),
      desktop: unique.filter(({ name, user }) => user === undefined && desktopUnits.test(name)),
      sharing: unique.filter(({ name, user }) => sharingUnits.test(name) && (user !== undefined || !desktopUnits.test(name))),
      // That it runs does not count: a disabled service is off after the next restart.
      isOwnEnabled: found.enabled.some(({ name, user }) => user === undefined && name === own?.unit),
    };
  };
  const sockets = async () => {
    const found = await listeners(root, (port) => port === SSH || port === RDP || (port >= FIRST_VNC && port <= LAST_VNC));
    if (!found) return null;
    const owners = await ownersOf(found.map(({ inode }) => inode));
    const counted = found.flatMap((listener) => {
      const owner = owners.get(listener.inode) ?? null;
      // A tunnel leads to loopback too; but a program that cannot be named is more likely a virtual machine.
      if (owner === null ? listener.loopback : virtualMachines.test(owner)) return [];
      const ofUser = gnomeDesktop.test(owner ?? '') && listener.uid >= FIRST_UID;
      return [listener.port === SSH ? 'shell' : listener.port === RDP && !ofUser ? 'desktop' : 'sharing'];
    });
    return new Set(counted);
  };
  const isOpen = (found: ServiceAt[] | null, open: Set<string> | null, kind: string) =>
    found === null && open === null ? null : (found?.length ?? 0) > 0 || open?.has(kind) === true;
  const ownService = async (isEnabled: boolean | null): Promise<DoorState['own_service']> => {
    if (!ownUnit || isEnabled === null) return null;
    const missing = await Promise.all(ownUnit.files.map(isMissing));
    return isEnabled && missing.includes(false) ? 'on' : 'off';
  };

  return {
    async read() {
      const accounts = await readAccounts(root);
      const [{ shell, desktop, sharing, isOwnEnabled }, open, hosts_file, servers, proxy] = await Promise.all([
        units(accounts?.homes ?? []),
        sockets(),
        readHosts(at('etc/hosts')),
        serversByHand(root),
        systemProxy(root),
      ]);
      return {
        remote_desktop: isOpen(desktop, open, 'desktop'),
        remote_shell: isOpen(shell, open, 'shell'),
        screen_sharing: isOpen(sharing, open, 'sharing'),
        remote_assistance: null,
        administrators: accounts?.administrators ?? null,
        hosts_file,
        dns_changed_by_others: servers,
        proxy,
        own_service: await ownService(isOwnEnabled),
        own_files: own && ownUnit ? await programStamp([at(own.folder), ...ownUnit.files, ownUnit.dropIns]) : null,
      };
    },
    watch: (changed) =>
      watchFolders(
        [
          ...['etc', 'etc/systemd/system', 'etc/systemd/system/multi-user.target.wants', 'etc/systemd/system/graphical.target.wants'],
          ...['etc/systemd/system/sockets.target.wants', 'etc/systemd/resolved.conf.d', 'etc/NetworkManager/system-connections'],
          ...['run/systemd/units', ...(own ? [own.folder] : [])],
        ].map(at),
        changed,
        after,
      ),
    async close(door) {
      if (door.door === 'hosts_file') return removeFromHosts(at('etc/hosts'), door.entries);
      const homes = (await readAccounts(root))?.homes ?? [];
      const kind = ({ remote_shell: 'shell', remote_desktop: 'desktop', screen_sharing: 'sharing' } as const)[door.door];
      // One after the other: a socket would start its service again.
      const found = ((await units(homes))[kind] ?? []).toSorted(
        (a, b) => Number(b.name.endsWith('.socket')) - Number(a.name.endsWith('.socket')),
      );
      for (const unit of found) await setService(unit, { running: false, enabled: false });
      return isOpen((await units(homes))[kind], await sockets(), kind) === false;
    },
  };
}
