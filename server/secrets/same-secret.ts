import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time, without revealing the right one's length. */
export function sameSecret(givenSecret: string, expectedSecret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(givenSecret), hash(expectedSecret));
}
