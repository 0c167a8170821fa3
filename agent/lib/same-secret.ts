import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Are these the same? Takes as long for any two of a length, so that nobody learns a secret letter by letter. What was not given is never the same. */
export function sameSecret(one: string | null | undefined, other: string | null | undefined): boolean {
  if (one == null || other == null) return false;
  return timingSafeEqual(digest(one), digest(other));
}
