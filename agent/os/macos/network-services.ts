import type { MacNative } from './native.ts';

/** A network service that is set up: Wi-Fi, Ethernet, a VPN … Name servers as addresses, in their order. */
export interface NetworkService {
  /** As networksetup knows it. */
  name: string;
  /** Set by hand, or by us: macOS asks them in place of those that the network gives. */
  manual: string[];
  /** What its network gives now, whatever is set by hand; none while it has no network. */
  given: string[];
}

/**
 * The services that have name servers, the one that leads out of the computer first. `scutil --dns` would show what is set by hand in place of
 * what the network gives, and a VPN's servers in place of the network's. Throws when the system's store does not answer.
 */
export async function networkServices(native: MacNative): Promise<NetworkService[]> {
  const lists = ['State', 'Setup'].map((part) => `list ${part}:/Network/Service/[^/]+/DNS`);
  const first = await scutil(native, ['show State:/Network/Global/IPv4', 'show State:/Network/Global/IPv6', ...lists], 2);
  const primary = first.shown.map((shown) => /^\s*PrimaryService : (\S+)/m.exec(shown)?.[1]).find(Boolean);
  const found = [...first.out.matchAll(/^\s*subKey \[\d+\] = \w+:\/Network\/Service\/([^/\s]+)\/DNS$/gm)].map(([, id = '']) => id);
  const ids = [...new Set(found)].toSorted((a, b) => Number(b === primary) - Number(a === primary));
  if (ids.length === 0) return [];
  const keys = (id: string) => [`Setup:/Network/Service/${id}`, `Setup:/Network/Service/${id}/DNS`, `State:/Network/Service/${id}/DNS`];
  const { shown } = await scutil(
    native,
    ids.flatMap((id) => keys(id).map((key) => `show ${key}`)),
    3 * ids.length,
  );
  return ids.map((_id, n) => ({
    name: /^\s*UserDefinedName : (.+)$/m.exec(shown[3 * n] ?? '')?.[1] ?? '',
    manual: addressesIn(shown[3 * n + 1]),
    given: addressesIn(shown[3 * n + 2]),
  }));
}

/** What scutil says to these lines; `shown` is what it says to each `show`, empty where there is no such key. */
async function scutil(native: MacNative, lines: string[], shows: number): Promise<{ out: string; shown: string[] }> {
  const { code, out } = await native.run('/usr/sbin/scutil', [], [...lines, 'quit', ''].join('\n'));
  const shown = [...out.matchAll(/^<dictionary> \{$([\s\S]*?)^\}$|No such key/gm)].map(([, content = '']) => content);
  if (code !== 0 || shown.length !== shows) throw new Error('macOS does not say which name servers its networks have');
  return { out, shown };
}

function addressesIn(shown = ''): string[] {
  const [, list = ''] = /^\s*ServerAddresses : <array> \{$([\s\S]*?)^\s*\}$/m.exec(shown) ?? [];
  return [...list.matchAll(/^\s*\d+ : (\S+)$/gm)].map(([, address = '']) => address);
}
