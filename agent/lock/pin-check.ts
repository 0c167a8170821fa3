import { scrypt, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '@porchlight/contract/shapes.ts';

/** The hash's memory (128 · n · r bytes), and some more. */
const roomFor = ({ n, r }: PinHash) => 128 * n * r + 32 * 1024 * 1024;

/** Checks a PIN in a thread, for as long as the hash takes. Spaces and dashes are ignored. */
export function isPin(known: PinHash, typed: string): Promise<boolean> {
  const wanted = Buffer.from(known.hash, 'base64url');
  const { n: N, r, p } = known;
  return new Promise((resolve, reject) => {
    scrypt(
      typed.replace(/[\s-]/g, ''),
      Buffer.from(known.salt, 'base64url'),
      wanted.length,
      { N, r, p, maxmem: roomFor(known) },
      (err, hash) => (err ? reject(err) : resolve(timingSafeEqual(hash, wanted))),
    );
  });
}
