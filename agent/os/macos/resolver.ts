import { rm } from 'node:fs/promises';
import { replaceFile, textOf } from '../../lib/replace-file.ts';
import type { SystemResolver } from '../port.ts';
import { type KeptServers, macNames } from './names.ts';
import type { MacNative } from './native.ts';

/** How names are looked up on a Mac; in the file `kept` stands what was before us, for as long as it is not put back. */
export function macResolver(native: MacNative, kept: string): SystemResolver {
  const names = macNames(
    native,
    async () => {
      const text = await textOf(kept);
      return text ? (JSON.parse(text) as KeptServers) : null;
    },
    (servers) => (servers ? replaceFile(kept, JSON.stringify(servers)) : rm(kept, { force: true })),
  );
  return {
    current: names.current,
    async pointTo() {
      if (!(await names.take())) throw new Error('macOS did not take the new setting');
    },
    async restore() {
      if (!(await names.giveBack())) throw new Error('macOS did not take back the setting');
    },
  };
}
