import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call an endpoint.
 * - `account`: a logged-in holder (spec 6.3, 6.4).
 * - `confirmed`: a holder with a confirmed email; a lapsed plan never hides an alert (P9.4).
 * - `member`: a holder with a confirmed email and a valid plan (spec 6.2).
 * - `guardian`: the cookie from a guardian's link, and the XSRF header on anything but GET (P1.4).
 * - `device`: the token of an enrolled agent.
 * - `device_or_removed`: also the token of a device that was removed less than 24 hours ago (P10.9).
 */
export type Access = 'public' | 'account' | 'confirmed' | 'member' | 'guardian' | 'device' | 'device_or_removed';

/** One API call, for the server's checks, the OpenAPI page and the types of both ends. */
export interface Endpoint {
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body's limit in bytes, if above `serverLimits.body_max`. */
  body_max?: number;
  /** The body of a 200 answer. The server strips other fields. */
  answer: z.ZodType;
  /** The error codes besides `commonErrors` and `errorsOfAccess`. */
  errors: readonly ErrorCode[];
}

/** `METHOD /path` below /api, with `:name` for a parameter. */
export type EndpointKey = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

/** Keeps the literal types, so that a missing handler does not compile. */
export function endpoints<const T extends Record<EndpointKey, Endpoint>>(table: T): T {
  return table;
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

export type CallInput<E extends Endpoint> = (E['params'] extends z.ZodType ? { params: In<E['params']> } : unknown) &
  (E['query'] extends z.ZodType ? { query: In<E['query']> } : unknown) &
  (E['body'] extends z.ZodType ? { body: In<E['body']> } : unknown);

/** A handler's input, already validated. */
export type HandlerInput<E extends Endpoint> = {
  params: Out<E['params']>;
  query: Out<E['query']>;
  body: Out<E['body']>;
};

/** A handler's answer, before the schema strips other fields. */
export type AnswerInput<E extends Endpoint> = z.input<E['answer']>;

export type Answer<E extends Endpoint> = z.output<E['answer']>;
