import { getPublicSuffix } from 'tldts';
import { neverBlock } from './never-block.ts';
import { rentedHosts } from './rented-hosts.ts';

/** Hosts come canonical, and companies that let anyone have a name below theirs count as well (the list's private part). */
const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false, mixedInputs: false };

/** Under which names anyone can have one: `co.uk` for `shop.example.co.uk`, `github.io` for `someone.github.io`. Null for nothing. */
export function publicSuffix(host: string): string | null {
  return getPublicSuffix(host, options) || null;
}

/** What one owner has: the public suffix and one label more. Null for a public suffix itself, and for nothing. */
export function registrableDomain(host: string): string | null {
  const suffix = publicSuffix(host);
  if (suffix === null || host === suffix || host.startsWith('.') || host.includes('..')) return null;
  const own = host.slice(0, -suffix.length - 1);
  return `${own.slice(own.lastIndexOf('.') + 1)}.${suffix}`;
}

/**
 * Do names below this host belong to different owners? Then it is never blocked whole, and an exception for it opens none of them.
 * Asked of a name below it, which also finds hosts without a rule of their own: those with one for everything below (`*.example`),
 * and the regions of a large cloud, whose storage is called s3.
 */
export function isSharedHost(host: string): boolean {
  if (rentedHosts.has(host)) return true;
  const below = `s3.${host}`;
  const suffix = publicSuffix(below);
  return suffix === host || suffix === below;
}

/** Why a host must not be blocked whole, in words, or null when it may be. `www.` is another way to write the host itself. */
export function whyNeverBlocked(host: string): string | null {
  const bare = host.replace(/^www\./, '');
  if (isSharedHost(bare)) return 'names below it belong to different owners';
  if (neverBlock.has(bare) || neverBlock.has(host)) return 'too much that is harmless depends on it';
  return null;
}
