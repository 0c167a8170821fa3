import type { AnswerInput, Endpoint, HandlerInput } from '@porchlight/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { fail } from '../lib/errors.ts';
import { callerOf } from './caller-of.ts';
import { unstorableField } from './field-errors.ts';
import type { DeviceOrRemoved, Gates } from './gates.ts';

/** The caller, by the endpoint's access: the uuid of the account, the device or the guardian. */
type Caller<A> = A extends 'account' | 'confirmed' | 'member'
  ? { account: string; session: string }
  : A extends 'device'
    ? { device: string }
    : A extends 'device_or_removed'
      ? DeviceOrRemoved
      : A extends 'guardian'
        ? { guardian: string; session: string }
        : unknown;

export type Call<E extends Endpoint> = HandlerInput<E> &
  Caller<E['access']> & {
    /** The address for rate limits, or for IPv6 its /64 network. */
    ip: string;
    request: FastifyRequest;
    reply: FastifyReply;
  };

/** A table without a handler for each endpoint does not compile. */
export type Handlers<T extends Record<string, Endpoint>> = { [K in keyof T]: (call: Call<T[K]>) => Promise<AnswerInput<T[K]>> };

/** Adds a contract table's routes: access check, validation, handler, and removal of fields that are not in the contract. */
export function bind<T extends Record<string, Endpoint>>(app: FastifyInstance, gates: Gates, table: T, handlers: Handlers<T>): void {
  for (const [key, endpoint] of Object.entries(table)) {
    const [method = '', path = ''] = key.split(' ');
    const handler = handlers[key] as (call: object) => Promise<unknown>;
    app.route({
      method,
      url: `/api${path}`,
      schema: schemaOf(path, endpoint),
      ...(endpoint.body_max ? { bodyLimit: endpoint.body_max } : {}),
      // Before the body is read: an unauthorized caller learns nothing from its validation.
      onRequest: async (request) => {
        app.requireProtocol(key, request.headers);
        request.caller = await gates[endpoint.access](request);
      },
      handler: async (request, reply) => {
        const { params, query, body, address } = request;
        const field = unstorableField(query) ?? unstorableField(body);
        if (field !== null) fail('invalid_input', { fields: [{ field, tag: 'format' }] });
        const answer = await handler({ params, query, body, ip: callerOf(address), request, reply, ...request.caller });
        // Fastify sends a string without quotes, and the contract promises JSON (P1.1).
        return typeof answer === 'string' ? reply.type('application/json; charset=utf-8').send(JSON.stringify(answer)) : answer;
      },
    });
  }
}

/** What the documentation says of a route, and what Fastify validates. */
export function schemaOf(path: string, endpoint: Endpoint): FastifySchema {
  return {
    summary: endpoint.summary,
    tags: [path.split('/')[1] ?? ''],
    ...(endpoint.access === 'public' ? {} : { security: [{ [endpoint.access]: [] }] }),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: { 200: endpoint.answer },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: object;
  }
}

/** Sends a page, or XML for the telephone network. The contract calls such an answer `nothing`. */
export function sendAs(reply: FastifyReply, type: 'text/html' | 'text/xml', body: string): Record<string, never> {
  return reply.type(`${type}; charset=utf-8`).send(body) as unknown as Record<string, never>;
}
