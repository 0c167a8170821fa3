import type { FieldError } from '@porchlight/contract/errors.ts';

/** A call that did not end in a 2xx. `status` is null when no answer came at all. */
export class HttpError extends Error {
  readonly status: number | null;
  readonly body: unknown;

  constructor(status: number | null, body?: unknown) {
    super(`HTTP ${status ?? 'no response'}`);
    this.status = status;
    this.body = body;
  }

  /** The error's name for programs. */
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

/** One request with JSON in and out, no timeout (7.43). 200 to 299 is success; anything else throws `HttpError`. */
export async function request(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<unknown> {
  const xsrf = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1];
  const answer = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(xsrf ? { 'x-xsrf-token': decodeURIComponent(xsrf) } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new HttpError(null);
  });
  const text = await answer.text().catch(() => '');
  const parsed = parse(text);
  if (!answer.ok) throw new HttpError(answer.status, parsed);
  return parsed;
}

function parse(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return text;
  }
}
