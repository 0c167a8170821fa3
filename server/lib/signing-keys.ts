import { type KeyPair, newKeyPair } from '@porchlight/definitions/signature.ts';
import type { Db, Trx } from '../db/open.ts';
import type { Sealer } from './seal.ts';

const purposes = ['link', 'policy'] as const;
/** `definitions` is the root of the feed. */
export type KeyPurpose = (typeof purposes)[number] | 'definitions' | 'definitions_signing';
export type SigningKeys = Record<(typeof purposes)[number], KeyPair>;

/** The server's Ed25519 keys, made once and kept in the database, sealed with SECRET_KEY (P3.2). Throws in words when the key is another one. */
export async function signingKeys(db: Db, sealer: Sealer): Promise<SigningKeys> {
  const pairs = await Promise.all(purposes.map(async (purpose) => [purpose, await keyFor(db, sealer, purpose)] as const));
  return Object.fromEntries(pairs) as SigningKeys;
}

/** Makes it when there is none yet. Throws in words when SECRET_KEY is another one. */
export async function keyFor(db: Db | Trx, sealer: Sealer, purpose: KeyPurpose): Promise<KeyPair> {
  const fresh = newKeyPair();
  // Of several servers that start at once on an empty database one makes the key, and all use it.
  await db
    .insertInto('server_keys')
    .values({ purpose, public_key: fresh.public_key, sealed_private_key: sealer.seal(fresh.private_key) })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const { public_key, sealed_private_key } = await db
    .selectFrom('server_keys')
    .selectAll()
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow();
  try {
    return { public_key, private_key: sealer.open(sealed_private_key) };
  } catch {
    throw new Error('SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.');
  }
}

/** A new key in the place of the old one, whose private half is gone for good. */
export async function replaceKey(trx: Trx, sealer: Sealer, purpose: KeyPurpose): Promise<KeyPair> {
  const fresh = newKeyPair();
  const row = { public_key: fresh.public_key, sealed_private_key: sealer.seal(fresh.private_key) };
  await trx.updateTable('server_keys').set(row).where('purpose', '=', purpose).execute();
  return fresh;
}
