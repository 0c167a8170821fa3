import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Tagged<T> {
  body: T;
  /** A hash of the JSON, with the header's quotes. */
  etag: string;
}

/** The result of `make` is cached until the source is another object. */
export function memoized<S extends object, T>(make: (source: S) => T): (source: S) => Tagged<T> {
  let lastResult: { source: S; made: Tagged<T> } | null = null;
  return (source) => {
    if (lastResult?.source === source) return lastResult.made;
    const body = make(source);
    const tagged = { body, etag: `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"` };
    lastResult = { source, made: tagged };
    return tagged;
  };
}

/** 304 is the only answer that is not part of the contract, because it has no body. */
export function unlessCached<T>(request: FastifyRequest, reply: FastifyReply, { body, etag }: Tagged<T>, cacheControl: string): T {
  void reply.headers({ etag, 'cache-control': cacheControl });
  return request.headers['if-none-match']?.includes(etag) ? (reply.code(304).send() as never) : body;
}
