import { paymentEventEndpoints } from '@porchlight/contract/subscriptions.ts';
import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { bind } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { customerIn } from './from-stripe.ts';
import type { SubscriptionStore } from './store.ts';
import type { Sync } from './sync.ts';

export interface WebhookDeps extends Pick<Kernel, 'gates' | 'clock'> {
  log: { info(o: object, m: string): void };
  store: SubscriptionStore;
  sync: Sync;
  payments: { stripe: Stripe; webhook_secret: string; livemode: boolean };
}

const tolerance = 300;

/** Stripe's webhook. An event only triggers a sync; its content is not used. */
export async function webhookRoutes(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  const { store, sync, log, payments } = deps;
  await app.register(async (scope) => {
    // The signature covers the raw bytes, so the body must not be parsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    bind(scope, deps.gates, paymentEventEndpoints, {
      'POST /stripe/webhook': async ({ request }) => {
        const event = verifiedEvent(deps, request.body, request.headers['stripe-signature']);
        if (event.livemode !== payments.livemode) {
          log.info({ type: event.type }, 'an event of the other mode was left alone');
          return {};
        }
        if (await store.knowsEvent(event.id)) return {};
        const customer = customerIn(event);
        const account = customer === null ? null : await store.accountOf(customer);
        // On failure Stripe repeats the event.
        if (account !== null) await sync(account);
        await store.noteEvent({ id: event.id, type: event.type, customer, created: new Date(event.created * 1000) });
        return {};
      },
    });
  });
}

function verifiedEvent({ payments, clock }: WebhookDeps, body: unknown, signature: string | string[] | undefined): Stripe.Event {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') return fail('signature_wrong');
  const { stripe, webhook_secret } = payments;
  try {
    return stripe.webhooks.constructEvent(body, signature, webhook_secret, tolerance, undefined, clock.now().getTime());
  } catch {
    // The error has no details, because they would help an attacker.
    return fail('signature_wrong');
  }
}
