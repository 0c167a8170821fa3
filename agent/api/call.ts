import { agentEndpoints } from '@porchlight/contract/agent.ts';
import { agentChangesEndpoint } from '@porchlight/contract/agent-changes.ts';
import { agent_protocol, agent_protocol_header } from '@porchlight/contract/agent-protocol.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';
import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';
import { updateEndpoints } from '@porchlight/contract/updates.ts';
import { z } from 'zod';
import { ask, readUpTo, Unreachable } from '../lib/http.ts';

const table = { ...agentEndpoints, ...agentChangesEndpoint, ...updateEndpoints };
type Endpoints = typeof table;

const answerMax = 4 * 1024 * 1024;

/** All fields of a refusal are required, so that a proxy's answer is not taken for our server's (P1.2). */
const refusalBody = z.object({ error: z.string(), code: z.string(), request_id: z.string() });

/** `code`: our server's reason, or `unknown` when a proxy or another server answered. */
export class Refused extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  readonly retry_after: number | undefined;

  constructor(status: number, body: unknown, retry_after?: string) {
    const { success, data } = refusalBody.safeParse(body);
    const isKnownError = success && Object.hasOwn(errors, data.code) && errors[data.code as ErrorCode].status === status;
    super(isKnownError ? data.error : `the server answered ${status}`);
    this.status = status;
    this.retry_after = /^\d{1,6}$/.test(retry_after ?? '') ? Number(retry_after) * 1000 : undefined;
    this.code = isKnownError ? (data.code as ErrorCode) : 'unknown';
  }
}

export const retryAfter = (err: unknown) => (err instanceof Refused ? err.retry_after : undefined);

/** Until the program or the server is updated. */
export const isOtherProtocol = (err: unknown): err is Refused =>
  err instanceof Refused && (err.code === 'agent_outdated' || err.code === 'server_outdated');

/** Whether a retry may succeed: network error, timeout, an answer that is not our server's, a server error, or a server of another protocol. */
export function isTransient(err: unknown): boolean {
  if (err instanceof Refused) return err.code === 'unknown' || err.status >= 500 || err.status === 429 || isOtherProtocol(err);
  return err instanceof Unreachable || (err instanceof Error && err.name === 'TimeoutError');
}

export type Call = <K extends keyof Endpoints>(
  key: K,
  input: CallInput<Endpoints[K]>,
  /** `received`: called for each piece of the answer, however small. */
  options?: { token?: string; signal?: AbortSignal; received?: () => void },
) => Promise<Answer<Endpoints[K]>>;

/** Calls the API of the contract and validates each answer. Throws `Refused`, or a network error. */
export function caller(server: string): Call {
  return async (key, input, { token, signal, received } = {}) => {
    const { query, body } = (input ?? {}) as { query?: Record<string, unknown>; body?: unknown };
    const [method = 'GET', path = ''] = String(key).split(' ');
    const search = query
      ? `?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))).toString()}`
      : '';
    const answer = await ask(`${server}/api${path}${search}`, {
      method,
      headers: {
        [agent_protocol_header]: String(agent_protocol),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(30_000),
    });
    const json = parsed(await readUpTo(answer, answerMax, received));
    if (!answer.ok) throw new Refused(answer.status, json, answer.body.headers['retry-after']);
    return table[key].answer.parse(json) as never;
  };
}

function parsed(body: Uint8Array | null): unknown {
  try {
    return body && JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
