import { createHash, randomBytes } from 'node:crypto';

/** A token of 256 random bits as base64url (P1.5). Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, 32 bytes. The token is random enough to need no salt. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
