import { scrypt, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '@porchlight/contract/shapes.ts';

const roomFor = ({ n, r }: PinHash) => 128 * n * r + 32 * 1024 * 1024;

/** Compares a PIN with its hash, ignoring spaces and dashes. */
export function isPin(storedHash: PinHash, typed: string): Promise<boolean> {
  const expectedHash = Buffer.from(storedHash.hash, 'base64url');
  const { n: N, r, p } = storedHash;
  return new Promise((resolve, reject) => {
    scrypt(
      typed.replace(/[\s-]/g, ''),
      Buffer.from(storedHash.salt, 'base64url'),
      expectedHash.length,
      { N, r, p, maxmem: roomFor(storedHash) },
      (err, hash) => (err ? reject(err) : resolve(timingSafeEqual(hash, expectedHash))),
    );
  });
}
