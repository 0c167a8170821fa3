import { z } from 'zod';

/** The two calls that the agent answers on 127.0.0.1:23407 (7.35 to 7.37, P3.2). */

/** `GET /.well-known/`: g guest mode, l logged in, v version, and nothing else. Connected means l and not g. */
export const localStatus = z.object({ g: z.boolean(), l: z.boolean(), v: z.string() });
export type LocalStatus = z.infer<typeof localStatus>;

/** `POST /api/uri`: hand over a signed link. */
export const handOver = z.object({ uri: z.string().min(1).max(2000), signature: z.string().min(1).max(200) });
export type HandOver = z.infer<typeof handOver>;

/** `link_uri` taken apart: `porchlight://link?server=…&code=…&exp=…&nonce=…` (P3.2). `exp` is unix seconds. */
export interface Link {
  server: string;
  code: string;
  exp: number;
  nonce: string;
}

/** Writes the link. The signature is over exactly these bytes. */
export function linkUri(link: Link): string {
  const parts = { server: link.server, code: link.code, exp: String(link.exp), nonce: link.nonce };
  return (
    prefix +
    Object.entries(parts)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
  );
}

/** Reads a link; null when it is not one of ours, or has a part missing, twice or of the wrong form. */
export function parseLinkUri(uri: string): Link | null {
  if (!uri.startsWith(prefix)) return null;
  const parts = new Map<string, string>();
  for (const pair of uri.slice(prefix.length).split('&')) {
    const [name = '', value = '', ...rest] = pair.split('=');
    const text = decode(value);
    if (rest.length || parts.has(name) || !text) return null;
    parts.set(name, text);
  }
  const [server, code, exp, nonce] = [parts.get('server'), parts.get('code'), parts.get('exp'), parts.get('nonce')];
  if (parts.size !== 4 || !server || !code || !nonce || !exp || !/^\d{1,12}$/.test(exp)) return null;
  return { server, code, exp: Number(exp), nonce };
}

const prefix = 'porchlight://link?';

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
