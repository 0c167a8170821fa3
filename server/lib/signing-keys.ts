import { type KeyPair, newKeyPair } from '@porchlight/definitions/signature.ts';
import type { Db, Trx } from '../db/open.ts';
import type { Sealer } from './seal.ts';
import { StartRefused } from './start-failure.ts';

/** `definitions` is the root, which says which of the others are good. */
export type KeyPurpose = 'link' | 'policy' | 'definitions' | 'definitions_signing';

/** What signs links and policies now. An operator may change either at any time, also by a command beside a server that runs: so each is asked for when it is needed. */
export interface SigningKeys {
  link(on?: Trx): Promise<KeyPair>;
  policy(): Promise<KeyPair>;
}

/** The server's Ed25519 keys, made once and kept in the database, sealed with SECRET_KEY (P3.2). Throws in words when the key is another one. */
export async function signingKeys(db: Db, sealer: Sealer): Promise<SigningKeys> {
  const keys: SigningKeys = { link: (on) => keyFor(on ?? db, sealer, 'link'), policy: () => keyFor(db, sealer, 'policy') };
  // One after the other: where the first cannot be opened nothing else is under way, and the start that failed can end.
  await keys.link();
  await keys.policy();
  return keys;
}

/** Makes it when there is none yet. Throws in words when SECRET_KEY is another one. */
export async function keyFor(db: Db | Trx, sealer: Sealer, purpose: KeyPurpose): Promise<KeyPair> {
  const kept = db.selectFrom('server_keys').selectAll().where('purpose', '=', purpose);
  const make = async () => {
    const fresh = newKeyPair();
    // Of several servers that start at once on an empty database one makes the key, and all use it.
    await db
      .insertInto('server_keys')
      .values({ purpose, public_key: fresh.public_key, sealed_private_key: sealer.seal(fresh.private_key) })
      .onConflict((oc) => oc.doNothing())
      .execute();
    return kept.executeTakeFirstOrThrow();
  };
  const { public_key, sealed_private_key } = (await kept.executeTakeFirst()) ?? (await make());
  try {
    return { public_key, private_key: sealer.open(sealed_private_key) };
  } catch {
    throw new StartRefused('SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.');
  }
}

/** A new key in the place of the old one, whose private half is gone for good. */
export async function replaceKey(trx: Trx, sealer: Sealer, purpose: KeyPurpose): Promise<KeyPair> {
  const fresh = newKeyPair();
  const row = { public_key: fresh.public_key, sealed_private_key: sealer.seal(fresh.private_key) };
  await trx.updateTable('server_keys').set(row).where('purpose', '=', purpose).execute();
  return fresh;
}
