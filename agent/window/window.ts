import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { liveScript, type PageName, pages, windowPage } from './page.ts';
import type { WindowState } from './state.ts';

const cookieName = 'porchlight_window';
/** A link to the page that was not opened within this time is of no use any more. */
const tokenLife = 10 * 60_000;
const noticeLife = 60_000;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
};

/** Does what a form says. Throws a sentence for the person, who then sees the form's page again. */
export type WindowAction = (fields: URLSearchParams) => Promise<void>;

export interface WindowParts {
  state: () => WindowState;
  /** By the address of their forms. A page of the same name shows the form; others are on the first page. */
  actions: Record<string, WindowAction>;
  /** Milliseconds. */
  now: () => number;
}

export interface Window {
  /** An address that opens a page once (its token is exchanged for a cookie). */
  newUrl(port: number, page?: PageName): string;
  /** Answers requests below /ui/; who asks was looked at by the guard: only a page of the agent itself may post. */
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

interface Session {
  /** In each form: another page of this computer cannot know it. */
  proof: string;
  /** What came of what was pressed last, and until when it is said. */
  notice: { words: string; until: number } | null;
}

const secret = () => randomBytes(24).toString('base64url');

/** The pages of the agent: only who was given a one-time address by the agent itself can see them. */
export function agentWindow({ state, actions, now }: WindowParts): Window {
  const tokens = new Map<string, number>();
  const sessions = new Map<string, Session>();

  const go = (response: ServerResponse, location: string, more: Record<string, string> = {}) =>
    response.writeHead(303, { location, ...more }).end();
  const refuse = (response: ServerResponse, why: string) => response.writeHead(403, { 'content-type': 'text/plain' }).end(why);

  const act = async (name: string, body: string, session: Session, response: ServerResponse) => {
    const fields = new URLSearchParams(body);
    const action = actions[name];
    if (!action || fields.get('proof') !== session.proof) {
      refuse(response, 'This page is too old. Open it again from Porchlight.');
      return;
    }
    session.notice = await action(fields).then(
      () => null,
      (err: Error) => ({ words: err.message, until: now() + noticeLife }),
    );
    go(response, session.notice && isPage(name) ? `/ui/${name}` : '/ui/');
  };

  return {
    newUrl(port, page = '') {
      const token = secret();
      for (const [old, until] of tokens) if (until <= now()) tokens.delete(old);
      tokens.set(token, now() + tokenLife);
      return `http://127.0.0.1:${port}/ui/${page}?t=${token}`;
    },
    async handle(request, body, response) {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const name = url.pathname.slice('/ui/'.length);
      const token = url.searchParams.get('t');
      const until = token ? tokens.get(token) : undefined;
      if (token && until !== undefined) {
        tokens.delete(token);
        if (until > now()) {
          const id = secret();
          sessions.set(id, { proof: secret(), notice: null });
          go(response, url.pathname, { 'set-cookie': `${cookieName}=${id}; HttpOnly; SameSite=Strict; Path=/ui/` });
          return;
        }
      }
      const cookie = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
      const session = cookie ? sessions.get(cookie) : undefined;
      if (!session) {
        refuse(response, 'Open this page from Porchlight itself.');
        return;
      }
      if (request.method === 'POST') return act(name, body, session, response);
      if (name === 'live.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(liveScript);
        return;
      }
      if (!isPage(name)) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
        return;
      }
      const notice = session.notice && session.notice.until > now() ? session.notice.words : null;
      response.writeHead(200, headers).end(windowPage(name, state(), session.proof, notice));
    },
  };
}

const isPage = (name: string): name is PageName => Object.hasOwn(pages, name);
