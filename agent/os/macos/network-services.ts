import type { MacNative } from './native.ts';

/** A network such as Wi-Fi, Ethernet or a VPN, with its DNS servers in order. */
export interface NetworkService {
  name: string;
  /** Servers set by the user or by us; they override `given`. */
  manual: string[];
  /** The network's servers; empty while disconnected. */
  given: string[];
}

/**
 * The primary service comes first. `scutil --dns` would hide the network's own servers behind manual ones and a VPN's. Throws when scutil
 * fails.
 */
export async function networkServices(native: MacNative): Promise<NetworkService[]> {
  const lists = ['State', 'Setup'].map((scope) => `list ${scope}:/Network/Service/[^/]+/DNS`);
  const overview = await scutil(native, ['show State:/Network/Global/IPv4', 'show State:/Network/Global/IPv6', ...lists], 2);
  const primaryId = overview.shown.map((shown) => /^[ \t]*PrimaryService : (\S+)/m.exec(shown)?.[1]).find(Boolean);
  const serviceIds = [...overview.out.matchAll(/^[ \t]*subKey \[\d+\] = \w+:\/Network\/Service\/([^/\s]+)\/DNS$/gm)].map(
    ([, id = '']) => id,
  );
  const ids = [...new Set(serviceIds)].toSorted((a, b) => Number(b === primaryId) - Number(a === primaryId));
  if (ids.length === 0) return [];
  const keysOf = (id: string) => [`Setup:/Network/Service/${id}`, `Setup:/Network/Service/${id}/DNS`, `State:/Network/Service/${id}/DNS`];
  const { shown } = await scutil(
    native,
    ids.flatMap((id) => keysOf(id).map((key) => `show ${key}`)),
    3 * ids.length,
  );
  return ids.map((_id, n) => ({
    name: /^[ \t]*UserDefinedName : (.+)$/m.exec(shown[3 * n] ?? '')?.[1] ?? '',
    manual: addressesIn(shown[3 * n + 1]),
    given: addressesIn(shown[3 * n + 2]),
  }));
}

/** Runs scutil. `shown`: the answer to each `show` line, empty for a missing key. */
async function scutil(native: MacNative, lines: string[], showCount: number): Promise<{ out: string; shown: string[] }> {
  const { code, out } = await native.run('/usr/sbin/scutil', [], [...lines, 'quit', ''].join('\n'));
  const shown = [...out.matchAll(/^<dictionary> \{$([\s\S]*?)^\}$|No such key/gm)].map(([, content = '']) => content);
  if (code !== 0 || shown.length !== showCount) throw new Error('macOS does not say which name servers its networks have');
  return { out, shown };
}

function addressesIn(shown = ''): string[] {
  const [, list = ''] = /^[ \t]*ServerAddresses : <array> \{$([\s\S]*?)^[ \t]*\}$/m.exec(shown) ?? [];
  return [...list.matchAll(/^[ \t]*\d+ : (\S+)$/gm)].map(([, address = '']) => address);
}
