import { agentEndpoints } from '@porchlight/contract/agent.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';
import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';
import { updateEndpoints } from '@porchlight/contract/updates.ts';
import { z } from 'zod';
import { ask, readUpTo, Unreachable } from '../lib/http.ts';

const table = { ...agentEndpoints, ...updateEndpoints };
type Endpoints = typeof table;

/** In bytes: no answer of the contract is larger, and no more of one is read. */
const answerMax = 4 * 1024 * 1024;

/** The whole of what our server says with a refusal (P1.2). */
const refusalBody = z.object({ error: z.string(), code: z.string(), request_id: z.string() });

/** Refused. `code`: why, in the word of our server; `unknown` where a proxy or somebody else answered in its place. */
export class Refused extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  /** In milliseconds: when it is worth trying again, if it was said. */
  readonly retry_after: number | undefined;

  constructor(status: number, body: unknown, retry_after?: string) {
    const { success, data } = refusalBody.safeParse(body);
    const known = success && Object.hasOwn(errors, data.code) && errors[data.code as ErrorCode].status === status;
    super(known ? data.error : `the server answered ${status}`);
    this.status = status;
    // A date, which proxies may send in its place, is not read: the usual pause does.
    this.retry_after = /^\d{1,6}$/.test(retry_after ?? '') ? Number(retry_after) * 1000 : undefined;
    this.code = known ? (data.code as ErrorCode) : 'unknown';
  }
}

/** In milliseconds: when the server wants to be asked again, where it refused and said so. */
export const retryAfter = (err: unknown) => (err instanceof Refused ? err.retry_after : undefined);

/** No answer, no answer in time, one that is not our server's, or one that says that it is in trouble: that may pass. */
export function mayPass(err: unknown): boolean {
  if (err instanceof Refused) return err.code === 'unknown' || err.status >= 500 || err.status === 429;
  return err instanceof Unreachable || (err instanceof Error && err.name === 'TimeoutError');
}

export type Call = <K extends keyof Endpoints>(
  key: K,
  input: CallInput<Endpoints[K]>,
  options?: { token?: string; signal?: AbortSignal },
) => Promise<Answer<Endpoints[K]>>;

/** Calls of the contract. The answer is checked by its schema: the agent believes nothing that is not as it should be. Throws `Refused`, or what the network threw. */
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

/** Null for what is no JSON, or too much of it. */
function parsed(body: Uint8Array | null): unknown {
  try {
    return body && JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
