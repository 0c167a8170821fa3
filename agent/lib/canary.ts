import { randomBytes } from 'node:crypto';
import type { ResolvedName } from './system-resolve.ts';

/**
 * Names that only the filter has an address for. Under .test, because systemd-resolved answers what is under .invalid by itself (both RFC
 * 6761). They name no computer and no account.
 */
const canaryDomain = 'dns.porchlight.test';
export const canaryAddress = '192.0.2.53';
export const isCanary = (name: string): boolean => name.endsWith(`.${canaryDomain}`);

/** A name that always exists (RFC 2606). */
const realName = 'example.com';

/** Do the names that programs look up reach the filter? Null: no names can be looked up now. */
export async function namesReachFilter(resolve: (name: string) => Promise<ResolvedName>): Promise<boolean | null> {
  // A new name each time, because a cache on the way has the answer of the server that was asked last.
  const answer = await resolve(`${randomBytes(6).toString('hex')}.${canaryDomain}`);
  if (answer.address !== null || !answer.failed) return answer.address === canaryAddress;
  // Some DNS servers refuse names under .test; then names go past the filter if any other can be looked up.
  return (await resolve(realName)).address === null ? null : false;
}
