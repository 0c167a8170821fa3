import type {} from '@fastify/cookie';
import type {} from '@fastify/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sameSecret } from './same-secret.ts';

const simulatorPages = '/dev';

export interface SimulatorAccess {
  hasKey(request: FastifyRequest): boolean;
  /** A hook that answers requests without the key like the server's "not found". */
  onlyWithKey(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  setCookie(reply: FastifyReply, name: string, value: string, path: string): void;
  /** Refuses a form that a page of another site has submitted. */
  checkSameOrigin(request: FastifyRequest): void;
  notFound(): never;
}

const keyCookie = 'simulators_key';

/**
 * The pages contain everyone's links and plans, so they need the key that the start printed. The address of the client proves nothing:
 * behind a proxy every request comes from this computer.
 */
export function simulatorAccess(key: string, secure: boolean, notFound: () => never): SimulatorAccess {
  const keyInQuery = (request: FastifyRequest) => (request.query as { key?: unknown }).key;
  const inAddress = (request: FastifyRequest) => typeof keyInQuery(request) === 'string' && sameSecret(String(keyInQuery(request)), key);
  const inCookie = (request: FastifyRequest) => sameSecret(request.cookies[keyCookie] ?? '', key);
  const setCookie: SimulatorAccess['setCookie'] = (reply, name, value, path) =>
    void reply.setCookie(name, value, { path, httpOnly: true, sameSite: 'strict', secure });

  const checkSameOrigin = (request: FastifyRequest) => {
    const fetchSite = request.headers['sec-fetch-site'];
    if (request.method !== 'GET' && fetchSite !== undefined && fetchSite !== 'same-origin') notFound();
  };

  return {
    hasKey: (request) => inAddress(request) || inCookie(request),
    async onlyWithKey(request, reply) {
      checkSameOrigin(request);
      if (inAddress(request)) {
        setCookie(reply, keyCookie, key, simulatorPages);
        // Redirects to the address without the key, so that browser histories do not contain it.
        if (request.method === 'GET' && !isData(request)) return reply.redirect(withoutKey(request.url), 303);
        return;
      }
      if (!inCookie(request)) notFound();
    },
    setCookie,
    checkSameOrigin,
    notFound,
  };
}

/** Pages read by programs, which store no cookies. */
const isData = (request: FastifyRequest) => request.routeOptions.url?.endsWith('.json') === true;

function withoutKey(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here');
  searchParams.delete('key');
  return searchParams.size ? `${pathname}?${searchParams.toString()}` : pathname;
}
