import type { Api } from '@porchlight/contract/all.ts';
import type { Answer, CallInput } from '@porchlight/contract/endpoint.ts';

export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(key: string, status: number, code: string) {
    super(`${key} answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** Calls the API. Throws `Refused`, or fetch's own error without an answer. */
export async function call<K extends keyof Api>(
  url: string,
  key: K,
  input: CallInput<Api[K]> & { token?: string },
): Promise<Answer<Api[K]>> {
  const { token, params, query, body } = input as { token?: string; params?: Record<string, string>; query?: object; body?: unknown };
  const [method = 'GET', pattern = ''] = key.split(' ');
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const queryEntries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const search = queryEntries.length
    ? `?${new URLSearchParams(Object.fromEntries(queryEntries.map(([name, value]) => [name, String(value)]))).toString()}`
    : '';
  const answer = await fetch(`${url}/api${path}${search}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const read = text ? (JSON.parse(text) as { code?: string }) : {};
  if (!answer.ok) throw new Refused(key, answer.status, read.code ?? '');
  return read as Answer<Api[K]>;
}
