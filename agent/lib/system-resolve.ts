import { lookup } from 'node:dns/promises';

export interface ResolvedName {
  /** The first IPv4 address. */
  address: string | null;
  /** No DNS server could say whether there is one. */
  failed: boolean;
}

/**
 * Resolves a name as other programs do, by the system's own resolver. Call it for one name at a time: with silent DNS servers each call occupies
 * one of the few threads that also read files, for up to half a minute.
 */
export async function resolveAsPrograms(name: string): Promise<ResolvedName> {
  return lookup(name, { family: 4 }).then(
    ({ address }) => ({ address, failed: false }),
    (err: NodeJS.ErrnoException) => ({ address: null, failed: err.code !== 'ENOTFOUND' }),
  );
}
