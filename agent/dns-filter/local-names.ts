import { isPortalProbe } from './captive-portal.ts';

/**
 * Zones that only the network's own DNS servers know: RFC 6761, 6762 (with its appendix G), 8375 and ICANN's `internal`. `ipv4only.arpa`
 * finds the network's address translation (RFC 8880), and `resolver.arpa` its encrypted DNS servers (RFC 9462).
 */
const localZones: ReadonlySet<string> = new Set([
  ...['local', 'localhost', 'localdomain', 'lan', 'home', 'corp', 'internal', 'intranet', 'private'],
  ...['home.arpa', 'ipv4only.arpa', 'resolver.arpa'],
]);

/** Reverse zones of addresses without a meaning outside the network (RFC 6303): private, loopback, link-local and carrier-grade NAT. */
const privateReverseZones =
  /(?:^|\.)(?:(?:0|10|127|254\.169|168\.192|(?:1[6-9]|2\d|3[01])\.172|(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.100)\.in-addr|(?:[cd]\.f|[89ab]\.e\.f|[01](?:\.0){31})\.ip6)\.arpa$/;

/**
 * Whether a name must be looked up at the network's own DNS servers, whatever resolver is chosen: a public service does not know it, and it
 * would reveal the names of a home. A search domain of the network is not known here; its names go to the chosen resolver.
 */
export function isLocalName(name: string): boolean {
  if (!name.includes('.')) return name !== '';
  if (isPortalProbe(name)) return true;
  const labels = name.split('.');
  return localZones.has(labels.at(-1) ?? '') || localZones.has(labels.slice(-2).join('.')) || privateReverseZones.test(name);
}
