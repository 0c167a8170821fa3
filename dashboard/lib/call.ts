import type { Api } from '@porchlight/contract/all.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';
import { HttpError, request } from './http.ts';
import { pages } from './paths.ts';
import { storeReturnPath } from './return-to.ts';
import { endSession, person, token } from './session.ts';

export type ApiKey = keyof Api;
type Args<K extends ApiKey> = object extends CallInput<Api[K]> ? [input?: CallInput<Api[K]>] : [input: CallInput<Api[K]>];

/** A call of the contract: `call('GET /web/devices/:id', { params: { id } })`. Only types come from the contract, no schema. */
export async function call<K extends ApiKey>(key: K, ...args: Args<K>): Promise<Answer<Api[K]>> {
  return (await answerOf(key, ...args)).body;
}

/** Also answers which success status it was. */
export async function answerOf<K extends ApiKey>(key: K, ...[input]: Args<K>): Promise<{ status: number; body: Answer<Api[K]> }> {
  const { params, query, body } = (input ?? {}) as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
  const [method = 'GET', path = ''] = key.split(' ');
  const bearer = token();
  try {
    const url = `/api${fill(path, params ?? {})}${search(query ?? {})}`;
    const answer = await request(method, url, body, bearer ? { authorization: `Bearer ${bearer}` } : {});
    return answer as { status: number; body: Answer<Api[K]> };
  } catch (err) {
    // A late answer to a token that is no longer the one in use says nothing about the one that is; and whoever has just logged out has
    // nothing that could expire, even if a screen still asks.
    const inUse = bearer === token() && (bearer ?? person()) !== null;
    if (err instanceof HttpError && err.status === 401 && inUse) expire();
    throw err;
  }
}

/** Any 401 logs out (4.3). The page is loaded anew, so that nothing of the last person stays in memory. */
function expire(): void {
  storeReturnPath();
  endSession('expired');
  window.location.assign(pages.expired);
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}

function search(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : '';
}
