import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call an endpoint.
 * - `public`: anyone, no token.
 * - `account`: a logged-in holder, whatever the state of their email or plan (spec 6.3, 6.4).
 * - `confirmed`: a logged-in holder with a confirmed email, whatever the state of their plan: a lapsed one never hides an alert (P9.4).
 * - `member`: a logged-in holder with a confirmed email and a valid plan (spec 6.2).
 * - `guardian`: the cookie that a guardian's link was exchanged for, and the XSRF header on anything but GET (P1.4).
 * - `device`: the token that an agent got when it enrolled.
 */
export type Access = 'public' | 'account' | 'confirmed' | 'member' | 'guardian' | 'device';

/** One call of the API as a value: the server is checked by it, the OpenAPI page is made of it, both ends are typed by it. */
export interface Endpoint {
  /** One line for the OpenAPI page. */
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** In bytes, where all that `body` allows is more than `serverLimits.body_max`. */
  body_max?: number;
  /** The body of a 200. What it does not list does not leave the server. */
  answer: z.ZodType;
  /** The named refusals, beside those every endpoint may give (`commonErrors`, and by access: `errorsOfAccess`). */
  errors: readonly ErrorCode[];
}

/** `METHOD /path` below /api, with `:name` for a parameter. */
export type EndpointKey = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

/** A slice's calls by their key; keeps the literal types, so that a missing handler or a misspelt call does not compile. */
export function endpoints<const T extends Record<EndpointKey, Endpoint>>(table: T): T {
  return table;
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a caller hands over: only the parts the endpoint declares. */
export type CallInput<E extends Endpoint> = (E['params'] extends z.ZodType ? { params: In<E['params']> } : unknown) &
  (E['query'] extends z.ZodType ? { query: In<E['query']> } : unknown) &
  (E['body'] extends z.ZodType ? { body: In<E['body']> } : unknown);

/** What a handler is given, already checked. */
export type HandlerInput<E extends Endpoint> = {
  params: Out<E['params']>;
  query: Out<E['query']>;
  body: Out<E['body']>;
};

/** What a handler gives back, before the answer's schema strips it. */
export type AnswerInput<E extends Endpoint> = z.input<E['answer']>;

/** What a caller receives. */
export type Answer<E extends Endpoint> = z.output<E['answer']>;
