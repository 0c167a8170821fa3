import { generateKeyPairSync } from 'node:crypto';
import type { Db } from '../db/open.ts';
import type { Sealer } from './seal.ts';
import { storedKeyPair } from './signing-keys.ts';

/** In base64url: an uncompressed point of P-256 (65 bytes), and its private number (32 bytes). */
export interface PushKeys {
  public_key: string;
  private_key: string;
}

/**
 * The server's VAPID pair (RFC 8292), created once and sealed with SECRET_KEY. Subscriptions belong to it, so another one would end them
 * all. Throws `StartRefused` when SECRET_KEY has changed.
 */
export const pushKeys = (db: Db, sealer: Sealer): Promise<PushKeys> => storedKeyPair(db, sealer, 'push', newPushKeys);

function newPushKeys(): PushKeys {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined || d === undefined) throw new Error('The P-256 pair came without its numbers.');
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { public_key: Buffer.concat(point).toString('base64url'), private_key: d };
}
