import { join } from 'node:path';
import { type Dict, readPlist } from '../../../lib/plist.ts';
import {
  type After,
  hostsReader,
  isMissing,
  programStamp,
  readWhole,
  removeFromHosts,
  type SystemDoors,
  watchFolders,
} from '../../doors.ts';
import type { MacNative } from '../native.ts';
import { serviceState, setService } from '../services.ts';
import { readNetworkSettings } from './network-settings.ts';

export interface MacDoorDeps {
  native: MacNative;
  /** The root folder; `/` but in tests. */
  root?: string;
  /** Where the resolver stores the former DNS servers. */
  dnsFile: string;
  /** The folder of our program and the label of our service; null when the agent was not installed. */
  own: { folder: string; label: string } | null;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  after?: After;
}

/** Services that were switched on or off, by label: false is on. launchd.plist(5) */
const launchdFolder = 'private/var/db/com.apple.xpc.launchd';
const disabledFile = `${launchdFolder}/disabled.plist`;
const [screenSharing, remoteLogin] = ['com.apple.screensharing', 'com.openssh.sshd'];
/** Remote Management, which includes screen sharing, is on while this file is there. */
const managementFolder = 'Library/Application Support/Apple/Remote Desktop';
const managementFile = `${managementFolder}/RemoteManagement.launchd`;
/** Apple's own command for Remote Management. */
const kickstart = '/System/Library/CoreServices/RemoteManagement/ARDAgent.app/Contents/Resources/kickstart';
const [etc, daemons, preferences] = ['private/etc', 'Library/LaunchDaemons', 'Library/Preferences/SystemConfiguration'];
/** What else is in our folder changes all the time. */
const programFile = /^(porchlight-agent|koffi.*\.node|operator\.json|uninstall|application)$/;

const MAX_BYTES = 1 << 20;
/** macOS lists administrators only through a program. */
const ADMINISTRATORS_MS = 5 * 60_000;

export function macDoors({ native, root = '/', dnsFile, own, now = () => performance.now(), after }: MacDoorDeps): SystemDoors {
  const at = (path: string) => join(root, path);
  const readHosts = hostsReader();
  const switches = async (): Promise<Dict | null> => {
    const bytes = await readWhole(at(disabledFile), MAX_BYTES);
    const found = bytes && readPlist(bytes);
    // An empty list is a damaged file, or a file that is being written.
    return found && Object.keys(found).length > 0 ? found : null;
  };
  const isManaged = async () => !(await isMissing(at(managementFile)));
  const ownPlist = own && at(`${daemons}/${own.label}.plist`);

  let lastAdministrators: { at: number; names: string[] | null } | null = null;
  const administrators = async (): Promise<string[] | null> => {
    if (lastAdministrators && now() - lastAdministrators.at < ADMINISTRATORS_MS) return lastAdministrators.names;
    lastAdministrators = { at: now(), names: null };
    const { code, out } = await native.run('/usr/bin/dscl', ['.', '-read', '/Groups/admin', 'GroupMembership']);
    const names = /^GroupMembership:(.*)/s.exec(out)?.[1]?.split(/\s+/).filter(Boolean).toSorted() ?? null;
    lastAdministrators.names = code === 0 ? names : null;
    return lastAdministrators.names;
  };
  const switchOff = async (name: string): Promise<boolean> => {
    await setService(native, { name }, { running: false, enabled: false });
    const state = await serviceState(native, { name });
    return state !== null && !state.enabled && !state.running;
  };

  return {
    async read() {
      const [launchd, admins, network] = await Promise.all([switches(), administrators(), readNetworkSettings(root, dnsFile)]);
      const isOff = launchd && own && launchd[own.label] === true;
      return {
        remote_desktop: null,
        remote_shell: launchd && launchd[remoteLogin] === false,
        screen_sharing: launchd && (launchd[screenSharing] === false || (await isManaged())),
        remote_assistance: null,
        administrators: admins,
        hosts_file: await readHosts(at(`${etc}/hosts`)),
        dns_changed_by_others: network.servers,
        proxy: network.proxy,
        own_service: ownPlist && launchd ? (isOff || (await isMissing(ownPlist)) ? 'off' : 'on') : null,
        own_files: own && ownPlist ? await programStamp([at(own.folder), ownPlist], (name) => programFile.test(name)) : null,
      };
    },
    watch: (changed) =>
      watchFolders([etc, launchdFolder, daemons, preferences, managementFolder, ...(own ? [own.folder] : [])].map(at), changed, after),
    async close(door) {
      switch (door.door) {
        case 'hosts_file':
          return removeFromHosts(at(`${etc}/hosts`), door.entries);
        case 'remote_shell':
          return switchOff(remoteLogin);
        case 'screen_sharing': {
          if (await isManaged()) await native.run(kickstart, ['-deactivate', '-stop']);
          return (await switchOff(screenSharing)) && !(await isManaged());
        }
        default:
          return false;
      }
    },
  };
}
