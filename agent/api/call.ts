import { agentEndpoints } from '@porchlight/contract/agent.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';
import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';
import { updateEndpoints } from '@porchlight/contract/updates.ts';
import { z } from 'zod';
import { ask, readUpTo, Unreachable } from '../lib/http.ts';

const table = { ...agentEndpoints, ...updateEndpoints };
type Endpoints = typeof table;

/** No answer of the contract is larger, and no more is read. */
const answerMax = 4 * 1024 * 1024;

/** A refusal of our server, whole (P1.2). */
const refusalBody = z.object({ error: z.string(), code: z.string(), request_id: z.string() });

/** `code`: our server's reason; `unknown` when a proxy or another server answered. */
export class Refused extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  /** Milliseconds after which a retry makes sense, when the server said so. */
  readonly retry_after: number | undefined;

  constructor(status: number, body: unknown, retry_after?: string) {
    const { success, data } = refusalBody.safeParse(body);
    const known = success && Object.hasOwn(errors, data.code) && errors[data.code as ErrorCode].status === status;
    super(known ? data.error : `the server answered ${status}`);
    this.status = status;
    // A date, which proxies may send, is not read: the usual wait does.
    this.retry_after = /^\d{1,6}$/.test(retry_after ?? '') ? Number(retry_after) * 1000 : undefined;
    this.code = known ? (data.code as ErrorCode) : 'unknown';
  }
}

export const retryAfter = (err: unknown) => (err instanceof Refused ? err.retry_after : undefined);

/** Whether a retry may succeed: no answer, a late one, one that is not our server's, or a server error. */
export function mayPass(err: unknown): boolean {
  if (err instanceof Refused) return err.code === 'unknown' || err.status >= 500 || err.status === 429;
  return err instanceof Unreachable || (err instanceof Error && err.name === 'TimeoutError');
}

export type Call = <K extends keyof Endpoints>(
  key: K,
  input: CallInput<Endpoints[K]>,
  options?: { token?: string; signal?: AbortSignal },
) => Promise<Answer<Endpoints[K]>>;

/** Calls of the contract. Every answer is checked by its schema. Throws `Refused`, or a network error. */
export function caller(server: string): Call {
  return async (key, input, { token, signal } = {}) => {
    const { query, body } = (input ?? {}) as { query?: Record<string, unknown>; body?: unknown };
    const [method = 'GET', path = ''] = String(key).split(' ');
    const search = query
      ? `?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))).toString()}`
      : '';
    const answer = await ask(`${server}/api${path}${search}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(30_000),
    });
    const json = parsed(await readUpTo(answer, answerMax));
    if (!answer.ok) throw new Refused(answer.status, json, answer.body.headers['retry-after']);
    return table[key].answer.parse(json) as never;
  };
}

/** Null when the body is no JSON or too long. */
function parsed(body: Uint8Array | null): unknown {
  try {
    return body && JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
