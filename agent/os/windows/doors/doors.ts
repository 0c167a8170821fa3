import { join } from 'node:path';
import {
  type After,
  afterTime,
  type DoorState,
  hostsReader,
  programStamp,
  removeFromHosts,
  type SystemDoors,
  watchFolders,
} from '../../doors.ts';
import type { ServiceAt, ServiceState } from '../../port.ts';
import type { Registry } from '../native/registry.ts';
import { type OwnService, safeModeKey, servicesKey } from '../own-service.ts';
import { type Services, startTypes } from '../services/services.ts';
import type { DoorCalls } from './native.ts';
import { interfaceKeys, machineProxy, proxyKeys, serversByHand } from './network-settings.ts';

export interface WindowsDoorDeps {
  registry: Registry;
  calls: DoorCalls;
  services: Pick<Services, 'list' | 'startOf' | 'setStart'>;
  setService: (service: ServiceAt, state: ServiceState) => Promise<boolean>;
  /** `%SystemRoot%`, such as `C:\Windows`. */
  systemRoot: string;
  /** The name of this computer, which Windows puts before login names. */
  computer: string;
  /** The folder of our program, and our service; null when the agent was not installed. */
  own: { folder: string; name: string; service: Pick<OwnService, 'isSecured' | 'secure'> } | null;
  after?: After;
}

const terminalKey = 'SYSTEM\\CurrentControlSet\\Control\\Terminal Server';
const assistanceKey = 'SYSTEM\\CurrentControlSet\\Control\\Remote Assistance';
/** A policy there overrides the setting of the same name. */
const policyKey = 'SOFTWARE\\Policies\\Microsoft\\Windows NT\\Terminal Services';
const [denyRemoteDesktop, allowAssistance] = ['fDenyTSConnections', 'fAllowToGetHelp'];
/** Where Windows finds the hosts file. */
const hostsKey = `${servicesKey}\\Tcpip\\Parameters`;
/** Local groups; only the system account may read them. */
const groupsKey = 'SAM\\SAM\\Domains\\Builtin\\Aliases';
const ssh = 'sshd';

const KEYS_POLL_MS = 1000;

export function windowsDoors(deps: WindowsDoorDeps): SystemDoors {
  const { registry, calls, services, setService, systemRoot, computer, own, after = afterTime } = deps;
  const readHosts = hostsReader();
  const exists = (key: string) => registry.values(key).length > 0 || registry.keys(key).length > 0;
  const hostsFolder = () => {
    const folder = registry.read(hostsKey, 'DataBasePath');
    const fallback = join(systemRoot, 'System32', 'drivers', 'etc');
    return typeof folder === 'string' && folder ? folder.replace(/%(SystemRoot|windir)%/i, () => systemRoot) : fallback;
  };
  /** Null when neither the setting nor its policy can be read. A missing value is the default of Windows: off. */
  const setting = (key: string, name: string, onValue: number): boolean | null => {
    const policy = registry.read(policyKey, name);
    if (typeof policy === 'number') return policy === onValue;
    return exists(key) ? registry.read(key, name) === onValue : null;
  };
  const remoteDesktop = () => setting(terminalKey, denyRemoteDesktop, 0);
  const remoteShell = (): boolean | null => {
    const listed = services.list();
    if (listed.length === 0) return null;
    const isRunning = listed.some(({ name, running }) => running && name.toLowerCase() === ssh);
    return isRunning || services.startOf(ssh) === startTypes.automatic;
  };
  const ownService = (): DoorState['own_service'] => {
    const isSecured = own ? own.service.isSecured() : null;
    return isSecured === null ? null : isSecured ? 'on' : 'off';
  };
  /** Also of which program our service starts. */
  const ownStamp = async ({ folder, name }: { folder: string; name: string }) => {
    const started = registry.read(`${servicesKey}\\${name}`, 'ImagePath');
    return `${await programStamp([folder])} ${typeof started === 'string' ? started : ''}`;
  };
  const administrators = async () => {
    const members = await calls.administrators();
    const prefix = `${computer}\\`.toLowerCase();
    return members?.map((name) => (name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : name)).toSorted() ?? null;
  };

  return {
    read: async () => ({
      remote_desktop: remoteDesktop(),
      remote_shell: remoteShell(),
      screen_sharing: null,
      remote_assistance: setting(assistanceKey, allowAssistance, 1),
      administrators: await administrators(),
      hosts_file: await readHosts(join(hostsFolder(), 'hosts')),
      dns_changed_by_others: serversByHand(registry),
      proxy: machineProxy(registry),
      own_service: ownService(),
      own_files: own && (await ownStamp(own)),
    }),
    watch(changed) {
      const folders = watchFolders([hostsFolder(), ...(own ? [own.folder] : [])], changed, after);
      const keys = calls.watchKeys([
        ...[terminalKey, assistanceKey, policyKey, hostsKey, groupsKey, ...interfaceKeys, ...proxyKeys],
        ...[ssh, ...(own ? [own.name] : [])].map((name) => `${servicesKey}\\${name}`),
        ...(own ? [`${safeModeKey}\\${own.name}`] : []),
      ]);
      const poll = () => {
        cancelPoll = after(KEYS_POLL_MS, poll);
        if (keys.changed()) changed();
      };
      let cancelPoll = after(KEYS_POLL_MS, poll);
      return {
        close() {
          cancelPoll();
          keys.close();
          folders.close();
        },
      };
    },
    async close(door) {
      switch (door.door) {
        case 'hosts_file':
          return removeFromHosts(join(hostsFolder(), 'hosts'), door.entries, calls.replaceFile);
        case 'remote_desktop':
          registry.write(terminalKey, denyRemoteDesktop, 1);
          return remoteDesktop() === false;
        case 'remote_shell':
          // By hand is how Windows installs it; a service that is disabled could not be started by its owner either.
          services.setStart(ssh, startTypes.byHand);
          await setService({ name: ssh }, { running: false, enabled: true });
          return remoteShell() === false;
        case 'own_service':
          own?.service.secure();
          return ownService() === 'on';
        default:
          return false;
      }
    },
  };
}
