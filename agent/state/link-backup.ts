import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverKeys } from '@porchlight/contract/agent.ts';
import { z } from 'zod';
import { privateFolder, readWhole, writeWhole } from './files.ts';
import { identity } from './identity.ts';

const backup = z.object({ identity, keys: serverKeys });
export type LinkBackup = z.infer<typeof backup>;

/**
 * The identity and the pinned keys, in a folder apart from the state: a deleted state folder does not end the account, and counts as locked
 * (P10.5). Null: a development agent has none.
 */
export function linkBackup(folder: string | null) {
  const path = folder === null ? null : join(folder, 'link.json');
  return {
    read: async (): Promise<LinkBackup | null> => (path === null ? null : readWhole(path, backup)),
    async save(value: LinkBackup): Promise<void> {
      if (folder === null || path === null) return;
      await privateFolder(folder);
      await writeWhole(path, JSON.stringify(value));
    },
    async remove(): Promise<void> {
      if (path !== null) await rm(path, { force: true });
    },
  };
}
