import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sameSecret } from '../../lib/same-secret.ts';
import { messages } from '../messages/messages.ts';
import { liveScript, type PageName, pages, windowPage } from './page.ts';
import type { WindowState } from './state.ts';
import { styleHash } from './style.ts';

const cookieName = 'porchlight_window';
/** A link to the page that was not opened within this time is of no use any more. */
const tokenLife = 10 * 60_000;
const noticeLife = 60_000;
/** So many open windows are known; the oldest is forgotten. */
const windowsMax = 32;

const policy = `default-src 'none'; style-src '${styleHash}'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
/**
 * On every answer: no other page may hold it in a frame, run it, or keep a hand on the window it is in. With `no-referrer` browsers would
 * post our own forms from the Origin `null`, which is nobody's.
 */
const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Does what a form says, and answers what is said of it, if anything. Throws a sentence for the person, who then sees the form's page again. */
export type WindowAction = (fields: URLSearchParams) => Promise<string | null>;

export interface WindowDeps {
  /** For a page that is shown now. */
  state: (page: PageName) => WindowState;
  /** By the address of their forms. A page of the same name shows the form; others are on the first page. */
  actions: Record<string, WindowAction>;
  /** May whoever connects from one port of this computer to the other open this address? */
  mayOpen: (url: string, connection: { from: number; to: number }) => Promise<boolean>;
  /** Milliseconds. */
  now: () => number;
}

export interface Window {
  /** An address that opens a page once (its token is exchanged for a cookie). */
  newUrl(port: number, page?: PageName): string;
  /** Answers requests below /ui/; who asks was looked at by the guard: only a page of the agent itself may post. */
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

/** What came of what was pressed last, on which page and until when it is said. */
interface Said {
  on: PageName;
  messages: string;
  kind: 'done' | 'failed';
  /** What was typed into the field of the code, which is not to be typed again. */
  code: string;
  until: number;
}

interface Session {
  /** Of the cookie. */
  id: string;
  /** In each form: another page of this computer cannot know it. */
  proof: string;
  said: Said | null;
}

const secret = () => randomBytes(24).toString('base64url');

/**
 * The pages of the agent: only who was given a one-time address by the agent itself can see them. Each window has a folder of its own
 * below /ui/ that nobody can guess, and its cookie belongs to that folder: browsers send the cookies of 127.0.0.1 to every program that
 * answers there, whatever its port, and so would hand ours to another one.
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
    sessions.set(folder, { id, proof: secret(), said: null });
    const [oldest] = sessions.keys();
    if (sessions.size > windowsMax && oldest) sessions.delete(oldest);
    const cookie = `${cookieName}=${id}; HttpOnly; SameSite=Strict; Path=/ui/${folder}/`;
    go(response, `/ui/${folder}/${isPage(name) ? name : ''}`, { 'set-cookie': cookie });
  };
  const act = async (folder: string, name: string, body: string, session: Session, response: ServerResponse) => {
    const fields = new URLSearchParams(body);
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action || !sameSecret(fields.get('proof'), session.proof)) return refuse(response, messages.tooOld);
    const said = await action(fields).then(
      (text) => ({ text, kind: 'done' as const, code: '' }),
      (err: Error) => ({ text: err.message, kind: 'failed' as const, code: fields.get('code') ?? '' }),
    );
    const on = isPage(name) && said.kind === 'failed' ? name : (goesOn[name] ?? '');
    session.said = said.text === null ? null : { ...said, on, messages: said.text, until: now() + noticeLife };
    go(response, `/ui/${folder}/${on}`);
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
      const token = url.searchParams.get('t');
      const until = token && request.method === 'GET' ? tokens.get(token) : undefined;
      if (token && until !== undefined) {
        const { remotePort = 0, localPort = 0 } = request.socket;
        // Somebody else's try takes nothing from whom it is for.
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
      const { said } = session;
      const notice = said && said.on === name && said.until > now() ? said : null;
      end(response, 200, 'text/html; charset=utf-8', windowPage(name, state(name), session.proof, notice));
    },
  };
}

/** After these forms there is more to do than on the first page. */
const goesOn: Partial<Record<string, PageName>> = { found: 'found' };

const isPage = (name: string): name is PageName => Object.hasOwn(pages, name);
