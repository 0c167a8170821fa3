import { getPublicSuffix } from 'tldts';
import type { NeverBlock } from './never-block.ts';
import { rentedHosts } from './rented-hosts.ts';

/** Hosts are already canonical. Private domains are those of companies that give out subdomains. */
const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false, mixedInputs: false };

/** The public suffix: `co.uk` for `shop.example.co.uk`, `github.io` for `someone.github.io`. */
export function publicSuffix(host: string): string | null {
  return getPublicSuffix(host, options) || null;
}

/** The public suffix with the next label, such as `example.co.uk`. */
export function registrableDomain(host: string): string | null {
  const suffix = publicSuffix(host);
  if (suffix === null || host === suffix || host.startsWith('.') || host.includes('..')) return null;
  const nameBeforeSuffix = host.slice(0, -suffix.length - 1);
  return `${nameBeforeSuffix.slice(nameBeforeSuffix.lastIndexOf('.') + 1)}.${suffix}`;
}

/**
 * Whether subdomains belong to different owners: then the host is never blocked whole, and an exception does not cover its subdomains.
 * Testing a subdomain also finds wildcard rules (`*.example`) and regions of large clouds (`s3`).
 */
export function isSharedHost(host: string): boolean {
  if (rentedHosts.has(host)) return true;
  const testSubdomain = `s3.${host}`;
  const suffix = publicSuffix(testSubdomain);
  return suffix === host || suffix === testSubdomain;
}

/** The reason, if any, why a host is never blocked. `www.` counts as the host itself. */
export function whyNeverBlocked(host: string, neverBlock: NeverBlock): string | null {
  const hostWithoutWww = host.replace(/^www\./, '');
  if (isSharedHost(hostWithoutWww)) return 'names below it belong to different owners';
  if (neverBlock.has(hostWithoutWww) || neverBlock.has(host)) return 'too much that is harmless depends on it';
  return null;
}
