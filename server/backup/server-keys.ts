import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { type Sealer, sealer } from '../secrets/seal.ts';
import { BackupFailure } from './file-format.ts';

/** Where a server has its keys. */
export interface KeyPlaces {
  /** The setting SECRET_KEY. */
  secret_key: string | undefined;
  /** The file for a server without that setting. */
  secret_file: string;
  /** The file that updates are signed with. */
  release_file: string;
}

/** Never makes a key, because a new key opens nothing. Null when there is none. */
export async function secretKeyOf({ secret_key, secret_file }: KeyPlaces): Promise<string | null> {
  return secret_key ?? (await contentOf(secret_file))?.trim() ?? null;
}

export const contentOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((reason: NodeJS.ErrnoException) => {
    if (reason.code === 'ENOENT') return null;
    throw reason;
  });

/** Says which key it is, and nothing about it. */
export const secretKeyId = (secret: string): string => sealer(secret).mac('backup', 'id of SECRET_KEY').slice(0, 16);

/** Throws unless the key opens the sealed rows of the database, because a backup with another key could never be used. */
export async function refuseForeignKey(client: pg.ClientBase, seal: Sealer): Promise<void> {
  const { rows } = await client.query<{ sealed_private_key: string }>(
    'select sealed_private_key from server_keys order by purpose limit 1',
  );
  const sealed = rows[0]?.sealed_private_key;
  if (sealed === undefined) return;
  try {
    seal.open(sealed);
  } catch {
    throw new BackupFailure(
      'SECRET_KEY does not open the keys in this database, so it is not the key of this server. Use the one that the server was started with.',
    );
  }
}
