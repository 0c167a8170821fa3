/** A host in the one spelling in which hosts are compared, or what is wrong with the text, in words. */
export type HostReading = { host: string; kind: 'name' | 'address' } | { wrong: string };

/** The same in Node and in every browser. */
declare class URL {
  constructor(address: string, base?: string);
  readonly protocol: string;
  readonly hostname: string;
}

/** Names that are already as they are compared: nothing to work out. Never what could be a number, an address or punycode. */
const plain = /^(?!(?:.*\.)?(?:0x|xn--))(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

/** Schemes whose host is a name of the network. */
const networked = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/**
 * The host of what a person, a program or a list wrote: a bare host, with port, with user, or a whole address. Upper case, a dot at
 * its end, percent-encoding and other scripts are brought to lower-case ASCII by the rules of browsers (WHATWG URL, UTS 46), an
 * IPv4 address in any spelling to four numbers. Names that only look like others (`аpple.com` with a Cyrillic letter) stay what
 * they are: their punycode.
 */
export function canonicalHost(text: string): HostReading {
  if (text.length <= 253 && plain.test(text)) return { host: text, kind: 'name' };
  const typed = text.trim();
  if (typed === '') return { wrong: 'there is nothing here' };
  if (typed.length > 4096) return { wrong: 'it is too long for an address' };
  if (/^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(typed)) return hostOfUrl(`http://[${typed}]`);
  // Letters before a colon are a scheme, unless a port follows.
  if (/^[a-z][a-z0-9+.-]*:(?!\d*(?:[/?#]|$))|^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return hostOfUrl(typed);
  return hostOfUrl(`http://${typed.replace(/^\/\//, '')}`);
}

/** The host of an address as a browser reads it, with `base` for one that is not whole. */
export function hostOfUrl(address: string, base?: string): HostReading {
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return { wrong: 'no browser takes this for an address' };
  }
  if (!networked.has(url.protocol)) return { wrong: `an address that begins with ${url.protocol} has no host` };
  const host = url.hostname.replace(/\.$/, '');
  if (host === '') return { wrong: 'it has no host' };
  if (host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)) return { host, kind: 'address' };
  if (host.length > 253) return { wrong: 'the name is longer than 253 letters' };
  const labels = host.split('.');
  if (labels.includes('')) return { wrong: 'there are two dots side by side' };
  if (labels.some((label) => label.length > 63)) return { wrong: 'a part of the name is longer than 63 letters' };
  if (!/^[a-z0-9_.-]+$/.test(host)) return { wrong: 'names have letters, digits and dashes only' };
  return { host, kind: 'name' };
}
