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
const desktopUnits = /^xrdp(-sesman)?\.service$/;
const sharingUnits = /^(x11vnc|wayvnc|x0vncserver|(tiger|turbo)?vncserver(@.*)?)\.(service|socket)$/;
/** Its desktop sharing is a unit of a user, its remote login one of the system. Some systems enable both, although nobody wants them: it listens only then. */
const gnomeUnit = 'gnome-remote-desktop.service';

const [SSH, RDP, LAST_GNOME_RDP, FIRST_VNC, LAST_VNC] = [22, 3389, 3399, 5900, 5910];
/** They show the screens of virtual machines, or pass a connection on to a container. */
const virtualMachines = /^(qemu|kvm|VBox|vmware|docker-proxy|rootlessport|conmon|containerd)/;
/** Linux cuts the name of a program to 15 characters. */
const gnomeProgram = /^gnome-remote-de/;
const FIRST_UID = 1000;

type Kind = 'shell' | 'desktop' | 'sharing';
/** `gnome`: a program of GNOME listens. */
interface Open {
  kind: Kind;
  gnome: boolean;
}

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
    const patterns = [shellUnits, desktopUnits, sharingUnits];
    const isWanted = (name: string) => name === own?.unit || name === gnomeUnit || patterns.some((pattern) => pattern.test(name));
    const found = await readUnits(root, homes, isWanted);
    if (!found) return null;
    const all = [...found.enabled, ...found.running];
    const unique = all.filter(({ name, user }, n) => all.findIndex((one) => one.name === name && one.user === user) === n);
    const ofSystem = unique.filter(({ user }) => user === undefined);
    return {
      shell: ofSystem.filter(({ name }) => shellUnits.test(name)),
      desktop: ofSystem.filter(({ name }) => desktopUnits.test(name)),
      sharing: unique.filter(({ name }) => sharingUnits.test(name)),
      gnome: unique.filter(({ name }) => name === gnomeUnit),
      // That it runs does not count: a disabled service is off after the next restart.
      isOwnEnabled: found.enabled.some(({ name, user }) => user === undefined && name === own?.unit),
    };
  };
  const sockets = async (): Promise<Open[] | null> => {
    const isWanted = (port: number) => port === SSH || (port >= RDP && port <= LAST_GNOME_RDP) || (port >= FIRST_VNC && port <= LAST_VNC);
    const found = await listeners(root, isWanted);
    if (!found) return null;
    const owners = await ownersOf(found.map(({ inode }) => inode));
    return found.flatMap(({ port, uid, inode, loopback }): Open[] => {
      const owner = owners.get(inode) ?? null;
      // A tunnel leads to loopback too; but a program that cannot be named is more likely a virtual machine.
      if (owner === null ? loopback : virtualMachines.test(owner)) return [];
      const gnome = gnomeProgram.test(owner ?? '');
      if (port === SSH) return [{ kind: 'shell', gnome }];
      if (port >= FIRST_VNC) return [{ kind: 'sharing', gnome }];
      // GNOME uses one of the next ports when another program has the usual port.
      return gnome || port === RDP ? [{ kind: gnome && uid >= FIRST_UID ? 'sharing' : 'desktop', gnome }] : [];
    });
  };
  const isOpen = (kind: Kind, found: Awaited<ReturnType<typeof units>>, open: Open[] | null) =>
    found === null && open === null ? null : (found?.[kind] ?? []).length > 0 || (open ?? []).some((one) => one.kind === kind);
  const ownService = async (isEnabled: boolean | undefined): Promise<DoorState['own_service']> => {
    if (!ownUnit || isEnabled === undefined) return null;
    const missing = await Promise.all(ownUnit.files.map(isMissing));
    return isEnabled && missing.includes(false) ? 'on' : 'off';
  };

  return {
    async read() {
      const accounts = await readAccounts(root);
      const [found, open, hosts_file, servers, proxy] = await Promise.all([
        units(accounts?.homes ?? []),
        sockets(),
        readHosts(at('etc/hosts')),
        serversByHand(root),
        systemProxy(root),
      ]);
      return {
        remote_desktop: isOpen('desktop', found, open),
        remote_shell: isOpen('shell', found, open),
        screen_sharing: isOpen('sharing', found, open),
        remote_assistance: null,
        administrators: accounts?.administrators ?? null,
        hosts_file,
        dns_changed_by_others: servers,
        proxy,
        own_service: await ownService(found?.isOwnEnabled),
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
      if (door.door === 'own_service') return false;
      if (door.door === 'hosts_file') return removeFromHosts(at('etc/hosts'), door.entries);
      const homes = (await readAccounts(root))?.homes ?? [];
      const kind = ({ remote_shell: 'shell', remote_desktop: 'desktop', screen_sharing: 'sharing' } as const)[door.door];
      const [found, open] = [await units(homes), await sockets()];
      const gnome = open?.some((one) => one.kind === kind && one.gnome) ? (found?.gnome ?? []) : [];
      const wanted = [...(found?.[kind] ?? []), ...gnome.filter(({ user }) => (user === undefined) === (kind === 'desktop'))];
      // One after the other: a socket would start its service again.
      const isSocket = ({ name }: ServiceAt) => Number(name.endsWith('.socket'));
      for (const unit of wanted.toSorted((a, b) => isSocket(b) - isSocket(a))) await setService(unit, { running: false, enabled: false });
      return isOpen(kind, await units(homes), await sockets()) === false;
    },
  };
}
