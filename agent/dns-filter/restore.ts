import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { textOf } from '../lib/replace-file.ts';
import type { Os } from '../os/port.ts';
import { hostsFile } from './hosts-file.ts';

/** Host names that exist as long as DNS does, and that reveal nothing: the example of RFC 2606, and a root server. */
const realNames = ['example.com', 'a.root-servers.net'];

/**
 * Restores the resolver, and tries whether this computer finds `host` or another real name as its programs would. True when it does; nothing may be
 * uninstalled before (P4.6).
 */
export async function restoreNames(os: Pick<Os, 'resolver' | 'hostsFile'>, host: string): Promise<boolean> {
  await os.resolver().restore();
  await hostsFile(os.hostsFile()).restore();
  // Names in the hosts file would be found without any network.
  const known = new Set((await textOf(os.hostsFile())).toLowerCase().split(/\s+/));
  const real = [host, ...realNames].filter((name) => isAsked(name) && !known.has(name));
  const found = real.map(async (name) => {
    const { address } = await lookup(name);
    if (address === '0.0.0.0' || address === '::') throw new Error(`${name} has no address.`);
    return true;
  });
  return Promise.any(found).catch(() => false);
}

/** Whether finding this name takes a DNS server: not for addresses, this computer and its neighbours. */
function isAsked(name: string): boolean {
  return name.includes('.') && !isIP(name) && !/^\[|\.(localhost|local)$/.test(name);
}
