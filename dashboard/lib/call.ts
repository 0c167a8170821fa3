import type { Api } from '@porchlight/contract/all.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';
import { HttpError, request } from './http.ts';
import { pages } from './paths.ts';
import { storeReturnPath } from './return-to.ts';
import { endSession, person, token } from './session.ts';

export type ApiKey = keyof Api;
type Args<K extends ApiKey> = object extends CallInput<Api[K]> ? [input?: CallInput<Api[K]>] : [input: CallInput<Api[K]>];

/** `call('GET /web/devices/:id', { params: { id } })`. Imports types only, no schema. */
export async function call<K extends ApiKey>(key: K, ...args: Args<K>): Promise<Answer<Api[K]>> {
  return (await answerOf(key, ...args)).body;
}

/** Repeats a refused call when it may pass: resolves with the answer, or rejects with the reason why nothing changed. */
export type RefusedCallHandler = (error: unknown, repeat: () => Promise<unknown>) => Promise<unknown>;

let handleRefused: RefusedCallHandler | null = null;

/** The screens of logged-in users set the handler, so that pages for everybody load none of it; returns the function that removes it. */
export function handleRefusedCalls(handler: RefusedCallHandler): () => void {
  handleRefused = handler;
  return () => {
    if (handleRefused === handler) handleRefused = null;
  };
}

/**
 * Like `call`, with the status. A call of a logged-in user that has to wait for somebody's yes (P10.1) settles once it was repeated or
 * refused; a form shows it as loading until then.
 */
export async function answerOf<K extends ApiKey>(key: K, ...[input]: Args<K>): Promise<{ status: number; body: Answer<Api[K]> }> {
  const send = () => sendOnce(key, (input ?? {}) as Input) as Promise<{ status: number; body: Answer<Api[K]> }>;
  try {
    return await send();
  } catch (err) {
    if (!handleRefused || !key.includes(' /web/')) throw err;
    return (await handleRefused(err, send)) as { status: number; body: Answer<Api[K]> };
  }
}

interface Input {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

async function sendOnce(key: ApiKey, { params, query, body }: Input): Promise<{ status: number; body: unknown }> {
  const [method = 'GET', path = ''] = key.split(' ');
  const bearer = token();
  try {
    const url = `/api${fill(path, params ?? {})}${search(query ?? {})}`;
    return await request(method, url, body, bearer ? { authorization: `Bearer ${bearer}` } : {});
  } catch (err) {
    // Ignores a 401 for an old token, and one after a log-out, when a screen may still be asking.
    const inUse = bearer === token() && (bearer ?? person()) !== null;
    if (err instanceof HttpError && err.status === 401 && inUse) expire();
    throw err;
  }
}

/** Any 401 logs out (4.3). The page reloads, so that no data of the user stays in memory. */
function expire(): void {
  storeReturnPath();
  endSession('expired');
  window.location.assign(pages.expired);
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}

function search(query: Record<string, unknown>): string {
  const givenEntries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return givenEntries.length ? `?${new URLSearchParams(givenEntries.map(([name, value]) => [name, String(value)]))}` : '';
}
