import { scrypt, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '@porchlight/contract/shapes.ts';

/** Room for what the hash asks for (128 · n · r bytes), and some more. */
const roomFor = ({ n, r }: PinHash) => 128 * n * r + 32 * 1024 * 1024;

/** Is this the PIN? Takes as long as the hash says, in a thread of its own. What people type around the digits does not matter. */
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
