import { canonicalHost } from '../sites/host.ts';

/**
 * A name in a list. `changed`: how it differs from the text; `exception`: the list allows it; `why`: it is not imported, with the reason.
 */
export type LineItem = { host: string; changed?: string; exception?: true } | { why: string };

export type LineReader = (text: string) => LineItem[];

/** Local names, which do not exist in the public DNS. */
const localName = /(?:^|\.)(?:localhost|localdomain|local|lan|home|internal|intranet|corp|arpa|onion|invalid|test|example|broadcasthost)$/;

/** Lists write `*.` or a dot before a name to mean its subdomains. */
export function readName(text: string): LineItem {
  const subdomainMark = /^(?:\*\.|\.)/.exec(text)?.[0] ?? '';
  const nameWithoutMark = text.slice(subdomainMark.length);
  if (nameWithoutMark.includes('*')) return { why: 'has a star inside: only patterns of a family may have that' };
  if (/[/?#\\]/.test(nameWithoutMark)) return { why: 'has a path: a whole site would be stopped for one page of it' };
  if (nameWithoutMark.includes('@')) return { why: 'is a mail address' };
  if (/^(?:ip6-\w+|localhost\d?)$/i.test(nameWithoutMark)) return { why: 'is a name of this computer or of a network at home' };
  const read = canonicalHost(nameWithoutMark);
  if ('wrong' in read) return { why: `is no name: ${read.wrong}` };
  if (read.kind === 'address') return { why: 'is an address in numbers, and addresses change hands' };
  if (nameWithoutMark.includes(':')) return { why: 'has a port: a whole site would be stopped for one part of it' };
  const { host } = read;
  if (localName.test(host)) return { why: 'is a name of this computer or of a network at home' };
  const topLevelDomain = host.slice(host.lastIndexOf('.') + 1);
  if (topLevelDomain === host) return { why: 'is a single word, and not the name of a site' };
  if (!/^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(topLevelDomain)) return { why: 'ends in nothing that names can end in' };
  if (subdomainMark !== '') return { host, changed: `${subdomainMark} means the name and what lies below` };
  return host === text ? { host } : { host, changed: 'written in its one spelling' };
}
