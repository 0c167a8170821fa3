export type HostReading = { host: string; kind: 'name' | 'address' } | { wrong: string };

/** `URL` is the same in Node and in every browser. */
declare class URL {
  constructor(address: string, base?: string);
  readonly protocol: string;
  readonly hostname: string;
}

/** Canonical names, recognised without parsing. Never numbers, addresses or punycode. */
const plainName = /^(?!(?:.*\.)?(?:0x|xn--))(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

const networked = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/**
 * Accepts a bare host, a host with port or user, or a whole address, and normalises it by the rules of browsers (WHATWG URL, UTS 46) to
 * lower-case ASCII. Look-alike names (`аpple.com` with a Cyrillic letter) become punycode.
 */
export function canonicalHost(text: string): HostReading {
  if (text.length <= 253 && plainName.test(text)) return { host: text, kind: 'name' };
  const trimmed = text.trim();
  if (trimmed === '') return { wrong: 'there is nothing here' };
  if (trimmed.length > 4096) return { wrong: 'it is too long for an address' };
  if (/^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(trimmed)) return hostOfUrl(`http://[${trimmed}]`);
  // Letters before a colon are a scheme, unless a port follows.
  if (/^[a-z][a-z0-9+.-]*:(?!\d*(?:[/?#]|$))|^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return hostOfUrl(trimmed);
  return hostOfUrl(`http://${trimmed.replace(/^\/\//, '')}`);
}

/** The host of an address as a browser reads it, with `base` for a relative address. */
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
