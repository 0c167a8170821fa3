import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { textOf } from '../lib/replace-file.ts';
import type { Os } from '../os/port.ts';
import { hostsFile } from './hosts-file.ts';

/** There for as long as there are names, and nobody is told anything by being asked for them: the example of RFC 2606, and a server of the root. */
const realNames = ['example.com', 'a.root-servers.net'];

/**
 * Puts names back as they were before us, and tries whether this computer finds `host` or another real name, as its programs look names
 * up. True when it does, with whatever network there is; nothing may be removed before (P4.6).
 */
export async function restoreNames(os: Pick<Os, 'resolver' | 'hostsFile'>, host: string): Promise<boolean> {
  await os.resolver().restore();
  await hostsFile(os.hostsFile()).restore();
  // What the hosts file has would be found without any network.
  const known = new Set((await textOf(os.hostsFile())).toLowerCase().split(/\s+/));
  const real = [host, ...realNames].filter((name) => isAsked(name) && !known.has(name));
  const found = real.map(async (name) => {
    const { address } = await lookup(name);
    if (address === '0.0.0.0' || address === '::') throw new Error(`${name} has no address.`);
    return true;
  });
  return Promise.any(found).catch(() => false);
}

/** Does it take a name server to find it? Addresses, names of this computer and of its neighbours do not. */
function isAsked(name: string): boolean {
  return name.includes('.') && !isIP(name) && !/^\[|\.(localhost|local)$/.test(name);
}
