import { z } from 'zod';

/** The agent's two calls on 127.0.0.1:23407 (7.35 to 7.37, P3.2). */

/** The answer of `GET /.well-known/`: g guest mode, l logged in, v version. Connected means l and not g. */
export const localStatus = z.object({ g: z.boolean(), l: z.boolean(), v: z.string() });
export type LocalStatus = z.infer<typeof localStatus>;

export const handOver = z.object({ uri: z.string().min(1).max(2000), signature: z.string().min(1).max(200) });
export type HandOver = z.infer<typeof handOver>;

/** `porchlight://link?server=…&code=…&exp=…&nonce=…` (P3.2). `exp` is unix seconds. */
export interface Link {
  server: string;
  code: string;
  exp: number;
  nonce: string;
}

/** The link's text. The signature is over exactly these bytes. */
export function linkUri(link: Link): string {
  const parameters = { server: link.server, code: link.code, exp: String(link.exp), nonce: link.nonce };
  return (
    prefix +
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
  );
}

/** Null if the text is not one of our links, or a part is missing, repeated or malformed. */
export function parseLinkUri(uri: string): Link | null {
  if (!uri.startsWith(prefix)) return null;
  const parameters = new Map<string, string>();
  for (const pair of uri.slice(prefix.length).split('&')) {
    const [name = '', value = '', ...extraValues] = pair.split('=');
    const text = decode(value);
    if (extraValues.length || parameters.has(name) || !text) return null;
    parameters.set(name, text);
  }
  const [server, code, exp, nonce] = [parameters.get('server'), parameters.get('code'), parameters.get('exp'), parameters.get('nonce')];
  if (parameters.size !== 4 || !server || !code || !nonce || !exp || !/^\d{1,12}$/.test(exp)) return null;
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
