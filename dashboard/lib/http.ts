import type { FieldError } from '@porchlight/contract/errors.ts';

/** `status` is null without any answer. */
export class HttpError extends Error {
  readonly status: number | null;
  readonly body: unknown;
  /** The HTTP reason phrase, if any: `Service Unavailable`. */
  readonly status_text: string;

  constructor(status: number | null, body?: unknown, status_text = '') {
    super(`HTTP ${status ?? 'no response'}`);
    this.status = status;
    this.body = body;
    this.status_text = status_text;
  }

  get code(): string | undefined {
    return this.part('code');
  }

  get fields(): FieldError[] {
    const { fields } = (this.body ?? {}) as { fields?: FieldError[] };
    return Array.isArray(fields) ? fields : [];
  }

  part(name: string): string | undefined {
    const value = typeof this.body === 'object' && this.body !== null ? (this.body as Record<string, unknown>)[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  }
}

/** One request with JSON in and out, without a timeout (7.43). 200 to 299 succeeds; anything else throws `HttpError`. */
export async function request(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const xsrf = xsrfToken(document.cookie);
  const answer = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(xsrf ? { 'x-xsrf-token': xsrf } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new HttpError(null);
  });
  // A broken answer, or a page from a proxy, is not an answer of ours.
  const text = await answer.text().catch(() => (answer.ok ? '<' : ''));
  const parsed = parse(text);
  if (!answer.ok) throw new HttpError(answer.status, parsed.body, answer.statusText);
  if (!parsed.json) throw new HttpError(null);
  return { status: answer.status, body: parsed.body };
}

function parse(text: string): { json: boolean; body: unknown } {
  try {
    return { json: true, body: text ? JSON.parse(text) : undefined };
  } catch {
    return { json: false, body: text };
  }
}

/** Reads the cookie XSRF-TOKEN, which a header repeats. */
export function xsrfToken(cookies: string): string | undefined {
  const value = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1];
  try {
    return value && decodeURIComponent(value);
  } catch {
    return value;
  }
}
