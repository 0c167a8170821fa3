import { generateKeyPairSync } from 'node:crypto';
import type { Db } from '../db/open.ts';
import type { Sealer } from './seal.ts';
import { StartRefused } from './start-failure.ts';

/** In base64url: an uncompressed point of P-256 (65 bytes), and its private number (32 bytes). */
export interface PushKeys {
  public_key: string;
  private_key: string;
}

const purpose = 'push';

/**
 * The server's VAPID pair (RFC 8292), created once and sealed with SECRET_KEY. Subscriptions belong to it, so another one would end them
 * all. Throws `StartRefused` when SECRET_KEY has changed.
 */
export async function pushKeys(db: Db, sealer: Sealer): Promise<PushKeys> {
  const storedKeys = db.selectFrom('server_keys').selectAll().where('purpose', '=', purpose);
  const create = async () => {
    const created = newPushKeys();
    // Several servers may start at once on an empty database.
    await db
      .insertInto('server_keys')
      .values({ purpose, public_key: created.public_key, sealed_private_key: sealer.seal(created.private_key) })
      .onConflict((oc) => oc.doNothing())
      .execute();
    return storedKeys.executeTakeFirstOrThrow();
  };
  const { public_key, sealed_private_key } = (await storedKeys.executeTakeFirst()) ?? (await create());
  try {
    return { public_key, private_key: sealer.open(sealed_private_key) };
  } catch {
    throw new StartRefused('SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.');
  }
}

function newPushKeys(): PushKeys {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined || d === undefined) throw new Error('The P-256 pair came without its numbers.');
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { public_key: Buffer.concat(point).toString('base64url'), private_key: d };
}
