import { limits } from './limits.ts';

/**
 * A website as a person types it or copies it, brought to the form in which it is compared: lower-case ASCII, without scheme, `www.` and
 * path: `https://www.Bücher.example/x` → `xn--bcher-kva.example`. Null when it is none (5.24).
 */
export function readWebsite(typed: string): string | null {
  if (typed.length > limits.domain_search_max) return null;
  const host = /^(?:https?:\/\/)?([^\s/?#\\%@:[\]]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i.exec(typed.trim())?.[1];
  const ascii = host === undefined ? null : toAscii(host);
  if (!ascii) return null;
  const labels = ascii.split('.');
  // `www.google` is a site below a top-level part of its own; `www.example.org` is another way to write example.org.
  if (labels[0] === 'www' && labels.length > 2) labels.shift();
  const fits = labels.length > 1 && labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return fits && /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(labels.at(-1) ?? '') ? labels.join('.') : null;
}

/** What was probably meant: the same with `.com`, when that makes a website of it (5.25). */
export function suggestWebsite(typed: string): string | null {
  const longer = `${typed.trim()}.com`;
  return readWebsite(typed) === null && readWebsite(longer) !== null ? longer : null;
}

/** The same in Node and in every browser; the contract knows neither. */
declare class URL {
  constructor(address: string);
  readonly hostname: string;
}

/** By the rules that browsers use for addresses, so that what is stored is what they ask for. */
function toAscii(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host}`);
    const bare = hostname.replace(/\.$/, '');
    return bare.length > 0 && bare.length <= 253 ? bare : null;
  } catch {
    return null;
  }
}
