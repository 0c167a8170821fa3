import { agentEndpoints } from '@porchlight/contract/agent.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';
import { updateEndpoints } from '@porchlight/contract/updates.ts';
import { ask, readUpTo, Unreachable } from '../lib/http.ts';

const table = { ...agentEndpoints, ...updateEndpoints };
type Endpoints = typeof table;

/** In bytes: no answer of the contract is larger, and no more of one is read. */
const answerMax = 4 * 1024 * 1024;

/** The server refused by name. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, words: string) {
    super(words);
    this.status = status;
    this.code = code;
  }
}

/** No answer, no answer in time, or one that says that the server is in trouble: that may pass. */
export function mayPass(err: unknown): boolean {
  if (err instanceof Refused) return err.status >= 500 || err.status === 429;
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
    if (!answer.ok) {
      const { code = 'unknown', error = `the server answered ${answer.status}` } = (json ?? {}) as { code?: string; error?: string };
      throw new Refused(answer.status, code, error);
    }
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
