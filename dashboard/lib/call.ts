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

export async function answerOf<K extends ApiKey>(key: K, ...[input]: Args<K>): Promise<{ status: number; body: Answer<Api[K]> }> {
  const { params, query, body } = (input ?? {}) as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
  const [method = 'GET', path = ''] = key.split(' ');
  const bearer = token();
  try {
    const url = `/api${fill(path, params ?? {})}${search(query ?? {})}`;
    const answer = await request(method, url, body, bearer ? { authorization: `Bearer ${bearer}` } : {});
    return answer as { status: number; body: Answer<Api[K]> };
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
