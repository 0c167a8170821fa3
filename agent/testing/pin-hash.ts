import { randomBytes, scryptSync } from 'node:crypto';
import type { PinHash } from '@porchlight/contract/shapes.ts';

export function pinHashFor(pin: string): PinHash {
  const salt = randomBytes(16);
  const cost = { n: 1024, r: 8, p: 1 };
  const hash = scryptSync(pin, salt, 32, { N: cost.n, r: cost.r, p: cost.p });
  return { salt: salt.toString('base64url'), hash: hash.toString('base64url'), ...cost };
}
