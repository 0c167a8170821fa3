import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalAddress, readWhole } from '../../doors.ts';
import { configuredServers } from '../resolved-conf.ts';

const MAX_BYTES = 64 << 10;
const MAX_FILES = 256;
const ownDropIn = 'porchlight.conf';

/**
 * DNS servers that someone has set by hand, for systemd-resolved, in a connection of NetworkManager, or for ifupdown. Servers in resolv.conf
 * alone may be from DHCP, so they do not count.
 */
export async function serversByHand(root: string): Promise<string[]> {
  const resolved = await configuredServers(root, ownDropIn).catch(() => []);
  const folder = join(root, 'etc/NetworkManager/system-connections');
  const names = (await readdir(folder).catch(() => [])).slice(0, MAX_FILES);
  const connections = await Promise.all(names.map((name) => readText(join(folder, name))));
  // Such as `dns=9.9.9.9;149.112.112.112;`, also with a name for TLS after `#`.
  const ofConnections = connections.flatMap((text) =>
    [...text.matchAll(/^dns[ \t]*=[ \t]*(.*)$/gm)].flatMap(([, list = '']) => list.split(/[;,\s]+/)),
  );
  const interfaces = await readText(join(root, 'etc/network/interfaces'));
  const ofInterfaces = [...interfaces.matchAll(/^[ \t]*dns-nameservers?[ \t]+(.*)$/gm)].flatMap(([, list = '']) => list.split(/\s+/));
  const addresses = [...resolved, ...ofConnections, ...ofInterfaces].map((server) => canonicalAddress(server.replace(/#.*/, '')));
  return [...new Set(addresses)].filter((address) => address !== null).toSorted();
}

/** The proxy for all users; empty without one. */
export async function systemProxy(root: string): Promise<string> {
  const text = await readText(join(root, 'etc/environment'));
  const values = [...text.matchAll(/^[ \t]*(?:export[ \t]+)?(?:https?|all|ftp)_proxy[ \t]*=[ \t]*["']?([^"'\n]*)/gim)].map(
    ([, value = '']) => value.trim(),
  );
  return [...new Set(values.filter(Boolean))].toSorted().join(', ');
}

const readText = async (path: string) => (await readWhole(path, MAX_BYTES))?.toString('utf8') ?? '';
