import { canonicalAddress } from '../../doors.ts';
import type { Registry } from '../native/registry.ts';

export const interfaceKeys = ['Tcpip', 'Tcpip6'].map(
  (protocol) => `SYSTEM\\CurrentControlSet\\Services\\${protocol}\\Parameters\\Interfaces`,
);
/** Each network adapter by the identifier of its interface: the class of network adapters. */
export const adaptersKey = 'SYSTEM\\CurrentControlSet\\Control\\Network\\{4D36E972-E325-11CE-BFC1-08002BE10318}';
/** Set for one adapter, and in Windows 11 for one network of it. DHCP has a value of its own. */
const serverValues = ['NameServer', 'ProfileNameServer'];
/** Adapters of VPNs and virtual machines, which set their own servers. */
const virtualDevice = /^(ROOT|SWD)\\/i;

export const proxyKeys = ['SOFTWARE', 'SOFTWARE\\Policies'].map((key) => `${key}\\Microsoft\\Windows\\CurrentVersion\\Internet Settings`);

/** DNS servers that someone has set by hand for a physical network adapter, sorted. Ours are in a rule and not there. */
export function serversByHand(registry: Registry): string[] {
  const servers = interfaceKeys.flatMap((key) =>
    registry.keys(key).flatMap((id) => {
      const device = registry.read(`${adaptersKey}\\${id}\\Connection`, 'PnpInstanceID');
      if (typeof device === 'string' && virtualDevice.test(device)) return [];
      return serverValues.flatMap((name) => textOf(registry.read(`${key}\\${id}`, name)).split(/[\s,]+/));
    }),
  );
  return [...new Set(servers.map(canonicalAddress))].filter((address) => address !== null).toSorted();
}

/** The proxy for all users; empty without one. */
export function machineProxy(registry: Registry): string {
  const proxies = proxyKeys.flatMap((key) => [
    registry.read(key, 'ProxyEnable') === 1 ? textOf(registry.read(key, 'ProxyServer')) : '',
    textOf(registry.read(key, 'AutoConfigURL')),
  ]);
  return [...new Set(proxies.filter(Boolean))].toSorted().join(', ');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
