import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PlanDeps, plans } from '../features/subscriptions/plans.ts';
import { subscriptionStore } from '../features/subscriptions/store.ts';
import { type Payments, type StripeSettings, stripePayments } from '../integrations/payments/payments.ts';
import { enqueuer, forgetJobs } from '../jobs/queue.ts';
import type { ServerEvents } from '../kernel.ts';
import { eventHub } from '../lib/event-hub.ts';
import type { TestServer } from './world.ts';

interface Answer {
  status: number;
  body: object;
}
/** Null keeps the simulator's answer. `key`: as `GET /v1/customers/cus_1?limit=1`. */
export type AnswerOverride = (key: string) => Answer | null;

export const noSuchCustomer = (status: 400 | 404, param = 'customer'): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', param, message: "No such customer: 'cus_x'" } },
});
export const emptyList: Answer = { status: 200, body: { object: 'list', data: [], has_more: false, url: '/v1/x' } };

/** A proxy in front of the Stripe simulator: `override` answers first. */
export async function stripeProxy({ api_base, webhook_secret, secret_key }: StripeSettings, override: AnswerOverride, key = secret_key) {
  const calls: string[] = [];
  const server = createServer((request, reply) => {
    const call = `${request.method} ${request.url}`;
    calls.push(call);
    const answer = async () => {
      const overriding = override(call);
      if (overriding)
        return reply.writeHead(overriding.status, { 'content-type': 'application/json' }).end(JSON.stringify(overriding.body));
      const body = await bodyOf(request);
      const headers: Record<string, string> = { authorization: `Bearer ${secret_key}` };
      for (const name of ['content-type', 'stripe-version', 'idempotency-key']) {
        const value = request.headers[name];
        if (typeof value === 'string') headers[name] = value;
      }
      const realReply = await fetch(api_base + request.url, { method: request.method ?? 'GET', headers, ...(body ? { body } : {}) });
      reply.writeHead(realReply.status, { 'content-type': 'application/json' }).end(await realReply.text());
    };
    answer().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const payments = stripePayments({ secret_key: key, webhook_secret, api_base: `http://127.0.0.1:${port}` });
  return {
    payments,
    calls,
    api_base: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
  return body;
}

/** The plans of another server, with the same database and other Stripe settings. */
export function plansWith(server: TestServer, { stripe, livemode }: Payments, log?: PlanDeps['log']) {
  const { db, clock } = server;
  const logLines: string[] = [];
  const note = (o: object, m: string) => void logLines.push(`${m} ${JSON.stringify(o)}`);
  const plansFeature = plans({
    db,
    clock,
    log: log ?? { warn: note, error: note },
    enqueue: enqueuer(clock),
    store: subscriptionStore(db, clock),
    stripe,
    livemode,
    plan_names: {},
    development: false,
    dashboard_url: 'http://localhost:4380/dashboard',
    personOf: (uuid, trx) =>
      (trx ?? db).selectFrom('accounts').select(['name', 'email']).where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    events: eventHub<ServerEvents>(),
    forgetJobs: forgetJobs(db),
  });
  return { ...plansFeature, said: logLines };
}
