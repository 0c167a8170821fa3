import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { liveScript, type WindowState, windowPage } from './page.ts';

const cookieName = 'porchlight_window';
/** A link to the page that was not opened within this time is of no use any more. */
const tokenLife = 10 * 60_000;

export interface Window {
  /** An address that opens the page once (its token is exchanged for a cookie). */
  newUrl(port: number): string;
  /** Answers requests below /ui/. */
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

/** The page of the agent: only who was given a one-time address by the agent itself can see it. `linkByCode` answers what came of it. */
export function agentWindow(state: () => WindowState, linkByCode: (code: string) => Promise<void>, now: () => number): Window {
  const tokens = new Map<string, number>();
  const sessions = new Set<string>();

  const page = (response: ServerResponse) =>
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'referrer-policy': 'no-referrer',
      })
      .end(windowPage(state()));
  const go = (response: ServerResponse, headers: Record<string, string> = {}) =>
    response.writeHead(303, { location: '/ui/', ...headers }).end();

  return {
    newUrl(port) {
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, now() + tokenLife);
      return `http://127.0.0.1:${port}/ui/?t=${token}`;
    },
    async handle(request, body, response) {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const token = url.searchParams.get('t');
      const until = token ? tokens.get(token) : undefined;
      if (token && until !== undefined) {
        tokens.delete(token);
        if (until > now()) {
          const session = randomBytes(24).toString('base64url');
          sessions.add(session);
          go(response, { 'set-cookie': `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/ui/` });
          return;
        }
      }
      const cookie = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
      if (!cookie || !sessions.has(cookie)) {
        response.writeHead(403, { 'content-type': 'text/plain' }).end('Open this page from Porchlight itself.');
        return;
      }
      if (request.method === 'POST' && url.pathname === '/ui/link') {
        await linkByCode(new URLSearchParams(body).get('code') ?? '');
        go(response);
        return;
      }
      if (url.pathname === '/ui/live.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(liveScript);
        return;
      }
      page(response);
    },
  };
}
