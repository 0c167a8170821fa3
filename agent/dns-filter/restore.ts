import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { textOf } from '../lib/replace-file.ts';
import type { Os } from '../os/port.ts';
import { hostsFile } from './hosts-file.ts';

/** Names that always exist and reveal nothing: the example domain of RFC 2606, and a root server. */
const REAL_NAMES = ['example.com', 'a.root-servers.net'];

/** Restores the DNS settings, and returns whether `host` or another real name resolves. An uninstall must not continue otherwise (P4.6). */
export async function restoreDns(os: Pick<Os, 'resolver' | 'hostsFile'>, host: string): Promise<boolean> {
  await os.resolver().restore();
  await hostsFile(os.hostsFile()).restore();
  // Names in the hosts file are skipped, because they resolve without any network.
  const hostsFileWords = new Set((await textOf(os.hostsFile())).toLowerCase().split(/\s+/));
  const realNames = [host, ...REAL_NAMES].filter((name) => isAsked(name) && !hostsFileWords.has(name));
  const lookups = realNames.map(async (name) => {
    const { address } = await lookup(name);
    if (address === '0.0.0.0' || address === '::') throw new Error(`${name} has no address.`);
    return true;
  });
  return Promise.any(lookups).catch(() => false);
}

/** False for names that resolve without a DNS server. */
function isAsked(name: string): boolean {
  return name.includes('.') && !isIP(name) && !/^\[|\.(localhost|local)$/.test(name);
}
