import { join } from 'node:path';
import { type Dict, isDict, type Plist, readPlist, textIn } from '../../../lib/plist.ts';
import { canonicalAddress, readWhole } from '../../doors.ts';

const settingsFile = 'Library/Preferences/SystemConfiguration/preferences.plist';
const MAX_BYTES = 4 << 20;
const ownAddress = '127.0.0.1';
const proxies = ['HTTP', 'HTTPS', 'SOCKS'];

/** The settings of the physical networks; VPNs have others. Null when they cannot be read. */
async function networks(root: string): Promise<Dict[] | null> {
  const bytes = await readWhole(join(root, settingsFile), MAX_BYTES);
  const services = bytes && readPlist(bytes).NetworkServices;
  if (!isDict(services)) return null;
  return Object.values(services).flatMap((service) =>
    isDict(service) && textIn(dictIn(service, 'Interface'), 'Type') === 'Ethernet' ? [service] : [],
  );
}

/** `proxy`: the proxies of all networks; empty without one. `servers`: set by hand, sorted, without ours. */
export interface NetworkSettings {
  proxy: string | null;
  servers: string[] | null;
}

/** `storedFile`: the DNS servers of each network before ours were set, which ours replace in the settings. */
export async function readNetworkSettings(root: string, storedFile: string): Promise<NetworkSettings> {
  const found = await networks(root);
  if (!found) return { proxy: null, servers: null };
  const stored = storedServers((await readWhole(join(root, storedFile), MAX_BYTES))?.toString('utf8') ?? '');
  const servers = found.flatMap((network) => {
    const set = textsIn(dictIn(network, 'DNS').ServerAddresses);
    const name = textIn(network, 'UserDefinedName') ?? '';
    // Behind ours are the servers of the network itself, as a fallback.
    return set[0] === ownAddress ? (Object.hasOwn(stored, name) ? textsIn(stored[name]) : []) : set;
  });
  const used = found.flatMap((network) => {
    const settings = dictIn(network, 'Proxies');
    const ofKinds = proxies.flatMap((kind) =>
      settings[`${kind}Enable`] === 1 ? [`${textIn(settings, `${kind}Proxy`) ?? ''}:${numberIn(settings, `${kind}Port`)}`] : [],
    );
    const script = settings.ProxyAutoConfigEnable === 1 ? textIn(settings, 'ProxyAutoConfigURLString') : undefined;
    return script === undefined ? ofKinds : [...ofKinds, script];
  });
  return {
    proxy: [...new Set(used)].toSorted().join(', '),
    servers: [...new Set(servers.flatMap((server) => canonicalAddress(server) ?? []))]
      .filter((address) => address !== ownAddress)
      .toSorted(),
  };
}

function storedServers(text: string): Record<string, Plist> {
  try {
    const stored = JSON.parse(text) as Plist | null;
    return isDict(stored) ? stored : {};
  } catch {
    return {};
  }
}

function dictIn(dict: Dict, key: string): Dict {
  const value = dict[key];
  return isDict(value) ? value : {};
}

const numberIn = (dict: Dict, key: string) => (typeof dict[key] === 'number' ? String(dict[key]) : '');
const textsIn = (value: Plist | undefined) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);
