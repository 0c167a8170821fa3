import type {} from '@fastify/cookie';
import type {} from '@fastify/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sameSecret } from './same-secret.ts';

/** Where the pages of all simulators are. */
const simulatorPages = '/dev';

export interface SimulatorAccess {
  /** Whether the request comes with the key, as a cookie or in its address. */
  hasKey(request: FastifyRequest): boolean;
  /** A hook: lets in whoever has the key; for anybody else there is nothing here. */
  onlyWithKey(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** A cookie that this browser sends along to `path` and below, and that no other site can have sent. */
  setCookie(reply: FastifyReply, name: string, value: string, path: string): void;
  /** Refuses a button that a page of another site has pressed. */
  pressedHere(request: FastifyRequest): void;
  /** Throws what the server answers where there is nothing. */
  notFound(): never;
}

const keyCookie = 'simulators_key';

/**
 * Who may open the pages of the simulators, which hold everyone's links and plans: whoever has the key that the start printed. It does not matter
 * where a request comes from or what its headers say of that: behind a proxy everyone comes from this computer.
 */
export function simulatorAccess(key: string, secure: boolean, notFound: () => never): SimulatorAccess {
  const given = (request: FastifyRequest) => (request.query as { key?: unknown }).key;
  const inAddress = (request: FastifyRequest) => typeof given(request) === 'string' && sameSecret(String(given(request)), key);
  const inCookie = (request: FastifyRequest) => sameSecret(request.cookies[keyCookie] ?? '', key);
  const setCookie: SimulatorAccess['setCookie'] = (reply, name, value, path) =>
    void reply.setCookie(name, value, { path, httpOnly: true, sameSite: 'strict', secure });

  const pressedHere = (request: FastifyRequest) => {
    const from = request.headers['sec-fetch-site'];
    if (request.method !== 'GET' && from !== undefined && from !== 'same-origin') notFound();
  };

  return {
    hasKey: (request) => inAddress(request) || inCookie(request),
    async onlyWithKey(request, reply) {
      pressedHere(request);
      if (inAddress(request)) {
        setCookie(reply, keyCookie, key, simulatorPages);
        // A page goes on without the key, so that it stays in no history.
        if (request.method === 'GET' && !isData(request)) return reply.redirect(withoutKey(request.url), 303);
        return;
      }
      if (!inCookie(request)) notFound();
    },
    setCookie,
    pressedHere,
    notFound,
  };
}

/** What a program reads, which keeps no cookies. */
const isData = (request: FastifyRequest) => request.routeOptions.url?.endsWith('.json') === true;

function withoutKey(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here');
  searchParams.delete('key');
  return searchParams.size ? `${pathname}?${searchParams.toString()}` : pathname;
}
