import { getPublicSuffix } from 'tldts';
import { nearestParent } from '../sites/parent-domains.ts';
import { publicSuffix } from '../sites/public-suffix.ts';
import { rentedHosts } from '../sites/rented-hosts.ts';
import type { CompiledNames } from './compile.ts';

export interface Place {
  /** The labels before the ending, from left to right. The last one was registered or rented. */
  labels: string[];
  ending: string;
  /** A service gives names there to anyone, mostly for nothing. */
  isFree: boolean;
  isCheap: boolean;
}

/** Endings at which nobody can rent a name. */
const official =
  /^(?:gov|mil|edu|int|arpa|bank|insurance)$|(?:^|\.)(?:gov|gob|gouv|govt|gub|mil|edu|ac|go|gc|police|nhs|sch|k12|admin|bank)\.[a-z]{2}$|\.(?:us|gov)$|^(?:ad|co|lg|ne|or)\.jp$|^(?:b|jus|leg|mp)\.br$/;

/** Null where nobody can be imitated: names of officials, and of those who are imitated. */
export function placeOf(host: string, { theirs, endings, tenants, words }: CompiledNames): Place | null {
  const rented = nearestParent(host, (name) => (rentedHosts.has(name) ? name : undefined)) ?? '';
  const known = publicSuffix(host) ?? '';
  const ending = rented.length > known.length ? rented : known;
  if (ending === '' || ending === host || official.test(ending)) return null;
  // `.bnpparibas` belongs to the brand, and so does all below it.
  if (words.has(ending) && !endings.has(ending)) return null;
  // A parent such as `com` or `github.io` belongs to nobody.
  if (nearestParent(host, (name) => (name.length > ending.length && theirs.has(name) ? true : undefined))) return null;
  if (nearestParent(host, (name) => (tenants.has(name) ? true : undefined))) return null;
  const isFree = ending === rented || getPublicSuffix(ending, { allowPrivateDomains: false }) !== ending;
  return { labels: host.slice(0, -ending.length - 1).split('.'), ending, isFree, isCheap: isFree || endings.has(ending) };
}
