import type { FastifyRequest } from 'fastify';
import { sameSecret } from '../secrets/same-secret.ts';
import type { Sealer } from '../secrets/seal.ts';

export const xsrfCookie = 'XSRF-TOKEN';

/** For how many guardians' pages one browser has tokens at a time. */
const max_tokens = 8;

export type XsrfTokens = ReturnType<typeof xsrfTokens>;

/**
 * Tokens of guardians' sessions against requests that other sites forge (7.43). Each is made from its session's cookie, so that a page of
 * another subdomain, which can set cookies here, cannot make one. One cookie has the tokens of all pages in a browser.
 */
export function xsrfTokens(sealer: Pick<Sealer, 'mac'>) {
  const tokenOf = (session: string) => sealer.mac('guardian-xsrf', session);
  const tokensIn = (request: FastifyRequest) => (request.cookies[xsrfCookie] ?? '').split('.').filter((token) => /^[\w-]{43}$/.test(token));
  return {
    /** The new value of the cookie, for the session with this cookie; null if it has the session's token. */
    added(request: FastifyRequest, session: string): string | null {
      const [token, tokens] = [tokenOf(session), tokensIn(request)];
      return tokens.some((one) => sameSecret(one, token)) ? null : [...tokens, token].slice(-max_tokens).join('.');
    },

    /** Whether the header repeats the cookie, which a page of another site can neither read nor send as a header, and has the session's token. */
    fits(request: FastifyRequest, session: string): boolean {
      const header = String(request.headers['x-xsrf-token'] ?? '');
      const token = tokenOf(session);
      return sameSecret(header, request.cookies[xsrfCookie] ?? '') && tokensIn(request).some((one) => sameSecret(one, token));
    },
  };
}
