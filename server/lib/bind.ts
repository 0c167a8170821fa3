import type { AnswerInput, Endpoint, HandlerInput } from '@porchlight/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './caller-of.ts';
import { fail } from './errors.ts';
import { unstorableField } from './field-errors.ts';
import type { Gates } from './gates.ts';

/** Who calls, by the access of the endpoint: the uuid of the account, the device or the guardian. */
type Caller<A> = A extends 'account' | 'confirmed' | 'member'
  ? { account: string; session: string }
  : A extends 'device'
    ? { device: string }
    : A extends 'guardian'
      ? { guardian: string; session: string }
      : unknown;

export type Call<E extends Endpoint> = HandlerInput<E> &
  Caller<E['access']> & {
    /** For rate limits: the address, of IPv6 the network of one connection. */
    ip: string;
    request: FastifyRequest;
    reply: FastifyReply;
  };

/** One function for each entry of a slice's table; leaving one out does not compile. */
export type Handlers<T extends Record<string, Endpoint>> = { [K in keyof T]: (call: Call<T[K]>) => Promise<AnswerInput<T[K]>> };

/** Puts a slice of the contract on the server: gate, check, handler, stripped answer. */
export function bind<T extends Record<string, Endpoint>>(app: FastifyInstance, gates: Gates, table: T, handlers: Handlers<T>): void {
  for (const [key, endpoint] of Object.entries(table)) {
    const [method = '', path = ''] = key.split(' ');
    const handler = handlers[key] as (call: object) => Promise<unknown>;
    app.route({
      method,
      url: `/api${path}`,
      schema: {
        summary: endpoint.summary,
        tags: [path.split('/')[1] ?? ''],
        ...(endpoint.access === 'public' ? {} : { security: [{ [endpoint.access]: [] }] }),
        ...(endpoint.params ? { params: endpoint.params } : {}),
        ...(endpoint.query ? { querystring: endpoint.query } : {}),
        ...(endpoint.body ? { body: endpoint.body } : {}),
        response: { 200: endpoint.answer },
      },
      ...(endpoint.body_max ? { bodyLimit: endpoint.body_max } : {}),
      // Before the body is read: who may not call learns nothing of what the call would have said about it.
      onRequest: async (request) => {
        request.caller = await gates[endpoint.access](request);
      },
      handler: async (request, reply) => {
        const { params, query, body, ip } = request;
        const field = unstorableField(query) ?? unstorableField(body);
        if (field !== null) fail('invalid_input', { fields: [{ field, tag: 'format' }] });
        const answer = await handler({ params, query, body, ip: callerOf(ip), request, reply, ...request.caller });
        // A bare text would leave as it is, and the contract promises JSON (P1.1).
        return typeof answer === 'string' ? reply.type('application/json; charset=utf-8').send(JSON.stringify(answer)) : answer;
      },
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: object;
  }
}

/** Sends what is no JSON: a page, or what the telephone network reads. The contract calls such an answer `nothing`. */
export function sendAs(reply: FastifyReply, type: 'text/html' | 'text/xml', body: string): Record<string, never> {
  return reply.type(`${type}; charset=utf-8`).send(body) as unknown as Record<string, never>;
}
