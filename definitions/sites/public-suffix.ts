import { getPublicSuffix } from 'tldts';
import { neverBlock } from './never-block.ts';

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

/** What begins below a host that has no rule of its own: everything (`*.example`), or the parts of a large cloud's region. */
const beginnings = ['a', 's3'];

/** Do names below this host belong to different owners? Then it is never blocked whole, and an exception for it opens none of them. */
export function isSharedHost(host: string): boolean {
  return publicSuffix(host) === host || beginnings.some((label) => publicSuffix(`${label}.${host}`) === `${label}.${host}`);
}

/** Why a host must not be blocked whole, in words, or null when it may be. `www.` is another way to write the host itself. */
export function whyNeverBlocked(host: string): string | null {
  const bare = host.replace(/^www\./, '');
  if (isSharedHost(bare)) return 'names below it belong to different owners';
  if (neverBlock.has(bare) || neverBlock.has(host)) return 'too much that is harmless depends on it';
  return null;
}
