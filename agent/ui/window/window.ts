import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sameSecret } from '../../lib/same-secret.ts';
import { messages } from '../messages/messages.ts';
import { liveScript, type PageName, pages, windowPage } from './page.ts';
import type { WindowState } from './state.ts';
import { styleHash } from './style.ts';

const cookieName = 'porchlight_window';
/** Milliseconds for which a one-time address is valid. */
const TOKEN_MS = 10 * 60_000;
const NOTICE_MS = 60_000;
const windowsMax = 32;

const policy = `default-src 'none'; style-src '${styleHash}'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
/**
 * Headers of every answer, against framing, embedding and window handles. Not `no-referrer`: browsers would then post our forms with the
 * Origin `null`.
 */
const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Handles a form and returns a message or null. The page of the form shows the message of a thrown error. */
export type WindowAction = (fields: URLSearchParams) => Promise<string | null>;

export interface WindowDeps {
  state: (page: PageName) => WindowState;
  /** The actions by name. An action named like a page has its form there; other forms are on the first page. */
  actions: Record<string, WindowAction>;
  mayOpen: (url: string, connection: { from: number; to: number }) => Promise<boolean>;
  now: () => number;
}

export interface Window {
  newUrl(port: number, page?: PageName): string;
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

/** The result of the last form, with the page that shows it and the end of its display. */
interface Result {
  on: PageName;
  messages: string;
  kind: 'done' | 'failed';
  code: string;
  until: number;
}

interface Session {
  id: string;
  proof: string;
  result: Result | null;
}

const secret = () => randomBytes(24).toString('base64url');

/**
 * Each window has an unguessable folder below /ui/ as its cookie's path, because browsers send cookies of 127.0.0.1 to programs on any
 * port. A one-time address opens the window.
 */
export function agentWindow({ state, actions, mayOpen, now }: WindowDeps): Window {
  const tokens = new Map<string, number>();
  const sessions = new Map<string, Session>();

  const end = (response: ServerResponse, status: number, type: string, text: string) =>
    response.writeHead(status, { ...headers, 'content-type': type }).end(text);
  const refuse = (response: ServerResponse, why: string) => end(response, 403, 'text/plain; charset=utf-8', why);
  const go = (response: ServerResponse, location: string, more: Record<string, string> = {}) =>
    response.writeHead(303, { ...headers, location, ...more }).end();

  const open = (name: string, response: ServerResponse) => {
    const [folder, id] = [secret(), secret()];
    sessions.set(folder, { id, proof: secret(), result: null });
    const [oldest] = sessions.keys();
    if (sessions.size > windowsMax && oldest) sessions.delete(oldest);
    const cookie = `${cookieName}=${id}; HttpOnly; SameSite=Strict; Path=/ui/${folder}/`;
    go(response, `/ui/${folder}/${isPage(name) ? name : ''}`, { 'set-cookie': cookie });
  };
  const act = async (folder: string, name: string, body: string, session: Session, response: ServerResponse) => {
    const fields = new URLSearchParams(body);
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action || !sameSecret(fields.get('proof'), session.proof)) return refuse(response, messages.tooOld);
    const result = await action(fields).then(
      (text) => ({ text, kind: 'done' as const, code: '' }),
      (err: Error) => ({ text: err.message, kind: 'failed' as const, code: fields.get('code') ?? '' }),
    );
    const on = isPage(name) && result.kind === 'failed' ? name : (pageAfterSuccess[name] ?? '');
    session.result = result.text === null ? null : { ...result, on, messages: result.text, until: now() + NOTICE_MS };
    go(response, `/ui/${folder}/${on}`);
  };

  return {
    newUrl(port, page = '') {
      const token = secret();
      for (const [old, until] of tokens) if (until <= now()) tokens.delete(old);
      tokens.set(token, now() + TOKEN_MS);
      return `http://127.0.0.1:${port}/ui/${page}?t=${token}`;
    },
    async handle(request, body, response) {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const token = url.searchParams.get('t');
      const until = token && request.method === 'GET' ? tokens.get(token) : undefined;
      if (token && until !== undefined) {
        const { remotePort = 0, localPort = 0 } = request.socket;
        // Checked before the address is used up, so that another user's request does not use it up.
        if (!(await mayOpen(`http://127.0.0.1:${localPort}${request.url}`, { from: remotePort, to: localPort })))
          return void refuse(response, messages.notYours);
        if (tokens.delete(token) && until > now()) return open(url.pathname.slice('/ui/'.length), response);
      }
      const [, , folder = '', name = '', ...deeper] = url.pathname.split('/');
      const cookie = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
      const session = sessions.get(folder);
      if (!session || !sameSecret(session.id, cookie)) return void refuse(response, messages.notYours);
      const noSuchPage = () => void end(response, 404, 'text/plain; charset=utf-8', messages.noSuchPage);
      if (deeper.length) return noSuchPage();
      if (request.method === 'POST') return void (await act(folder, name, body, session, response));
      if (name === 'live.js') return void end(response, 200, 'text/javascript', liveScript);
      if (!isPage(name)) return noSuchPage();
      const { result } = session;
      const notice = result && result.on === name && result.until > now() ? result : null;
      end(response, 200, 'text/html; charset=utf-8', windowPage(name, state(name), session.proof, notice));
    },
  };
}

const pageAfterSuccess: Partial<Record<string, PageName>> = { found: 'found', help: 'help' };

const isPage = (name: string): name is PageName => Object.hasOwn(pages, name);
