import { canonicalHost } from '../sites/host.ts';

/**
 * What one line of a list says of one name. `changed` says, in words, in what the name that is taken differs from what was written;
 * `exception` that the list wants it left alone; `why` that nothing is taken.
 */
export type LineItem = { host: string; changed?: string; exception?: true } | { why: string };

/** Reads one line without its line break: nothing for empty lines and comments, several for a line with several names. */
export type LineReader = (text: string) => LineItem[];

/** Ends of names that no one on the network has. */
const local = /(?:^|\.)(?:localhost|localdomain|local|lan|home|internal|intranet|corp|arpa|onion|invalid|test|example|broadcasthost)$/;

/** A name as lists write it, with `*.` or a dot before it where they mean what lies below. */
export function readName(typed: string): LineItem {
  const below = /^(?:\*\.|\.)/.exec(typed)?.[0] ?? '';
  const bare = typed.slice(below.length);
  if (bare.includes('*')) return { why: 'has a star inside: only patterns of a family may have that' };
  if (/[/?#\\]/.test(bare)) return { why: 'has a path: a whole site would be stopped for one page of it' };
  if (bare.includes('@')) return { why: 'is a mail address' };
  if (/^(?:ip6-\w+|localhost\d?)$/i.test(bare)) return { why: 'is a name of this computer or of a network at home' };
  const read = canonicalHost(bare);
  if ('wrong' in read) return { why: `is no name: ${read.wrong}` };
  if (read.kind === 'address') return { why: 'is an address in numbers, and addresses change hands' };
  if (bare.includes(':')) return { why: 'has a port: a whole site would be stopped for one part of it' };
  const { host } = read;
  if (local.test(host)) return { why: 'is a name of this computer or of a network at home' };
  const last = host.slice(host.lastIndexOf('.') + 1);
  if (last === host) return { why: 'is a single word, and not the name of a site' };
  if (!/^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(last)) return { why: 'ends in nothing that names can end in' };
  if (below !== '') return { host, changed: `${below} means the name and what lies below` };
  return host === typed ? { host } : { host, changed: 'written in its one spelling' };
}
