import { rm } from 'node:fs/promises';
import { replaceFile, textOf } from '../../lib/replace-file.ts';
import { resolveAsPrograms } from '../../lib/system-resolve.ts';
import type { SystemResolver } from '../port.ts';
import { macDns, type StoredServers } from './dns-servers.ts';
import type { MacNative } from './native.ts';

/** A file stores the former DNS settings until they are restored. */
export function macResolver(native: MacNative, storedFile: string): SystemResolver {
  const dns = macDns(
    native,
    async () => {
      const text = await textOf(storedFile);
      return text ? (JSON.parse(text) as StoredServers) : null;
    },
    (servers) => (servers ? replaceFile(storedFile, JSON.stringify(servers)) : rm(storedFile, { force: true })),
  );
  return {
    current: dns.current,
    async pointTo() {
      if (!(await dns.pointHere())) throw new Error('macOS did not take the new setting');
    },
    // macOS returns to the first server by itself after a minute.
    resolve: resolveAsPrograms,
    async restore() {
      if (!(await dns.restore())) throw new Error('macOS did not take back the setting');
    },
  };
}
