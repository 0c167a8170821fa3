import { limits } from './limits.ts';

/**
 * The typed text as a website, normalized for comparisons: `https://www.Bücher.example/x` → `xn--bcher-kva.example`. Null if it is no
 * website (5.24).
 */
export function readWebsite(typedText: string): string | null {
  if (typedText.length > limits.domain_search_max) return null;
  const host = /^(?:https?:\/\/)?([^\s/?#\\%@:[\]]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i.exec(typedText.trim())?.[1];
  const ascii = host === undefined ? null : toAscii(host);
  if (!ascii) return null;
  const labels = ascii.split('.');
  // `www.google` is a site of its own; `www.example.org` is example.org.
  if (labels[0] === 'www' && labels.length > 2) labels.shift();
  const fits = labels.length > 1 && labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return fits && /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(labels.at(-1) ?? '') ? labels.join('.') : null;
}

/**
 * The typed text as the exact origin of a website, as browsers compare them: `Mail.Example.com/inbox` → `https://mail.example.com`. `www.`
 * stays, because it is another origin. Null if it is no website, or not an encrypted one, which no browser lets send notifications.
 */
export function readOrigin(typedText: string): string | null {
  const typed = typedText.trim();
  if (/^http:/i.test(typed) || readWebsite(typed) === null) return null;
  try {
    const { host } = new URL(/^https:/i.test(typed) ? typed : `https://${typed}`);
    return /\.(?::|$)/.test(host) ? null : `https://${host}`;
  } catch {
    return null;
  }
}

/** The typed text with `.com`, if only that makes it a website (5.25). */
export function suggestWebsite(typedText: string): string | null {
  const longer = `${typedText.trim()}.com`;
  return readWebsite(typedText) === null && readWebsite(longer) !== null ? longer : null;
}

/** The contract's types include neither Node's nor the browser's. */
declare class URL {
  constructor(address: string);
  readonly hostname: string;
  readonly host: string;
}

/** Converts a host by the browsers' rules, so that stored sites match their requests. */
function toAscii(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host}`);
    const hostWithoutDot = hostname.replace(/\.$/, '');
    return hostWithoutDot.length > 0 && hostWithoutDot.length <= 253 ? hostWithoutDot : null;
  } catch {
    return null;
  }
}
