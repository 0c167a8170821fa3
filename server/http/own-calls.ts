import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Whose call the server makes itself, after the yes to which held request (P15.8). */
export interface OwnCall {
  account: string;
  request: string;
}

/** The answer of such a call. `body`: null if it is not JSON. */
export interface OwnAnswer {
  status: number;
  body: { code?: unknown } | null;
}

export type MakeOwnCall = (of: OwnCall, call: { method: string; path: string; body: unknown }) => Promise<OwnAnswer>;

/** It has a random value for each call, until that is answered, so that nobody else can send it. */
const header = 'x-own-call';

/**
 * Lets the server make calls of its API itself: through the same checks, handlers and gate as everybody's, but as the account that asked for it
 * earlier, without a session. Added before all other hooks.
 */
export function ownCalls(http: FastifyInstance): MakeOwnCall {
  const pending = new Map<string, OwnCall>();
  http.decorateRequest('ownCall', null);
  http.addHook('onRequest', (request, _reply, done) => {
    const key = request.headers[header];
    if (typeof key === 'string') request.ownCall = pending.get(key) ?? null;
    done();
  });
  return async (of, { method, path, body }) => {
    const key = randomBytes(32).toString('base64url');
    pending.set(key, of);
    try {
      const answer = await http.inject({
        method: method as 'POST',
        url: path,
        headers: { [header]: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, body: jsonOf(answer.body) };
    } finally {
      pending.delete(key);
    }
  };
}

function jsonOf(text: string): OwnAnswer['body'] {
  try {
    return JSON.parse(text) as OwnAnswer['body'];
  } catch {
    return null;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a call that came from outside. */
    ownCall: OwnCall | null;
  }
}
