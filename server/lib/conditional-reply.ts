import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Tagged<T> {
  body: T;
  /** Of its JSON, in quotes as the header wants it. */
  etag: string;
}

/** What is made of a source, with its tag: made once, and again only when the source is another object. */
export function madeOnce<S extends object, T>(make: (source: S) => T): (source: S) => Tagged<T> {
  let last: { source: S; made: Tagged<T> } | null = null;
  return (source) => {
    if (last?.source === source) return last.made;
    const body = make(source);
    const made = { body, etag: `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"` };
    last = { source, made };
    return made;
  };
}

/** The answer, or 304 to whoever has it already: the only answer without a body, and so the only one that is none of the contract's. */
export function unlessKept<T>(request: FastifyRequest, reply: FastifyReply, { body, etag }: Tagged<T>, cacheControl: string): T {
  void reply.headers({ etag, 'cache-control': cacheControl });
  return request.headers['if-none-match']?.includes(etag) ? (reply.code(304).send() as never) : body;
}
