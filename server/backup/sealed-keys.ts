import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';
import type { SealedKeys } from './file-format.ts';

/** What a server needs beside its database. */
const keys = z.object({
  /** SECRET_KEY. */
  secret: z.string().min(32),
  /** The content of the file that updates are signed with; null where no installer was ever built. */
  release: z.string().nullable(),
});
export type BackupKeys = z.infer<typeof keys>;

export const passphraseMin = 12;

/** The logarithm of scrypt's N: 128 MB and about 0.4 s for each guess. */
const cost = 17;

export function sealKeys(contents: BackupKeys, passphrase: string): SealedKeys {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyFrom(passphrase, salt, cost), iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(contents), 'utf8'), cipher.final()]);
  return { salt: salt.toString('base64url'), cost, sealed: Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url') };
}

/** Null for another passphrase. */
export function openKeys({ salt, cost: fileCost, sealed }: SealedKeys, passphrase: string): BackupKeys | null {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(passphrase, Buffer.from(salt, 'base64url'), fileCost), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return keys.parse(JSON.parse(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')));
  } catch {
    return null;
  }
}

/** AES-256; N = 2^cost, r = 8, p = 1. */
function keyFrom(passphrase: string, salt: Buffer, logN: number): Buffer {
  const N = 2 ** logN;
  return scryptSync(passphrase.normalize('NFC'), salt, 32, { N, r: 8, p: 1, maxmem: 256 * N * 8 });
}
