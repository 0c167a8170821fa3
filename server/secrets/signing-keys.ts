import { type KeyPair, newKeyPair } from '@porchlight/definitions/signature.ts';
import type { Db, Trx } from '../db/open.ts';
import { StartRefused } from '../lib/start-failure.ts';
import type { Sealer } from './seal.ts';

/** `definitions` is the root key, which signs the list of valid keys. */
export type KeyPurpose = 'link' | 'policy' | 'definitions' | 'definitions_signing';

/** Read for each use, because a command can replace the keys while the server runs. */
export interface SigningKeys {
  link(trx?: Trx): Promise<KeyPair>;
  policy(): Promise<KeyPair>;
}

/** Ed25519, created once, sealed with SECRET_KEY (P3.2). Throws `StartRefused` when SECRET_KEY has changed. */
export async function signingKeys(db: Db, sealer: Sealer): Promise<SigningKeys> {
  const keys: SigningKeys = { link: (trx) => keyFor(trx ?? db, sealer, 'link'), policy: () => keyFor(db, sealer, 'policy') };
  // In sequence, so that after a failure nothing else runs, and the start can end.
  await keys.link();
  await keys.policy();
  return keys;
}

export const keyFor = (db: Db | Trx, sealer: Sealer, purpose: KeyPurpose): Promise<KeyPair> =>
  storedKeyPair(db, sealer, purpose, newKeyPair);

/** The pair of this purpose, created once and sealed with SECRET_KEY. Throws `StartRefused` when SECRET_KEY has changed. */
export async function storedKeyPair(
  db: Db | Trx,
  sealer: Sealer,
  purpose: KeyPurpose | 'push',
  create: () => { public_key: string; private_key: string },
): Promise<{ public_key: string; private_key: string }> {
  const storedKey = db.selectFrom('server_keys').selectAll().where('purpose', '=', purpose);
  const make = async () => {
    const created = create();
    // Several servers may start at once on an empty database.
    await db
      .insertInto('server_keys')
      .values({ purpose, public_key: created.public_key, sealed_private_key: sealer.seal(created.private_key) })
      .onConflict((oc) => oc.doNothing())
      .execute();
    return storedKey.executeTakeFirstOrThrow();
  };
  const { public_key, sealed_private_key } = (await storedKey.executeTakeFirst()) ?? (await make());
  try {
    return { public_key, private_key: sealer.open(sealed_private_key) };
  } catch {
    throw new StartRefused('SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.');
  }
}

/** Replaces a key; the old private key is destroyed. */
export async function replaceKey(trx: Trx, sealer: Sealer, purpose: KeyPurpose): Promise<KeyPair> {
  const created = newKeyPair();
  const row = { public_key: created.public_key, sealed_private_key: sealer.seal(created.private_key) };
  await trx.updateTable('server_keys').set(row).where('purpose', '=', purpose).execute();
  return created;
}
