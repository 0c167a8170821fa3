import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time, so that the duration does not reveal the secret. Null and undefined never match. */
export function sameSecret(secret: string | null | undefined, candidate: string | null | undefined): boolean {
  if (secret == null || candidate == null) return false;
  return timingSafeEqual(digest(secret), digest(candidate));
}
