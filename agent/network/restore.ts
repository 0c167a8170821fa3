import { lookup } from 'node:dns/promises';
import type { Os } from '../os/port.ts';
import { hostsFile } from './hosts-file.ts';

/**
 * Puts names back as they were before us, and tries whether this computer finds one of `names`. True when it does, with whatever
 * network there is; nothing may be removed before (P4.6).
 */
export async function restoreNames(os: Pick<Os, 'resolver' | 'hostsFile'>, names: string[]): Promise<boolean> {
  await os.resolver().restore();
  await hostsFile(os.hostsFile()).restore();
  const found = names.map((name) => lookup(name).then(({ address }) => address !== '0.0.0.0' && address !== '::'));
  return Promise.any(found).catch(() => false);
}
