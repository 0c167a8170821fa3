import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';

/** A call that may weaken protection. `session`: null for the link of an email. */
export interface WeakeningCall {
  account: string;
  session: string | null;
  /** From `callerOf`. */
  ip: string;
  /** Whether an agent has answered this browser (P10.2). */
  browser_near: boolean;
  content: CallContent;
  /** The held request after whose yes the server makes this call itself (P15.8); null for a caller's own. */
  redo: string | null;
}

/** What identifies a call, and with `path` all that is needed to make it again. */
export interface CallContent {
  /** `POST /api/web/devices/:uuid` */
  endpoint: string;
  /** `/api/web/devices/018f4f4e-…` */
  path: string;
  params: unknown;
  body: unknown;
}

/** The dashboard sets this cookie in a browser that an agent has answered (P10.2). */
export const nearAgentCookie = 'near_agent';

export const isNearAgent = (request: Pick<FastifyRequest, 'cookies'>): boolean => request.cookies[nearAgentCookie] !== undefined;

/** A handler's call, as the gate needs it (P10.1). */
export function weakeningCall({
  account,
  session,
  ip,
  request,
  params,
  body,
}: {
  account: string;
  session: string | null;
  ip: string;
  request: FastifyRequest;
  params?: unknown;
  body?: unknown;
}): WeakeningCall {
  const endpoint = `${request.method} ${request.routeOptions.url ?? ''}`;
  const path = request.url.split('?')[0] ?? '';
  const content = { endpoint, path, params, body };
  return { account, session: session || null, ip, browser_near: isNearAgent(request), content, redo: request.ownCall?.request ?? null };
}
