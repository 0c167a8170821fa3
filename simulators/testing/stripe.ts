import Stripe from 'stripe';
import type { SharedDocument } from '../ports.ts';
import { type Card, completeSession } from '../stripe/checkout.ts';
import { newState, type State } from '../stripe/state.ts';
import { openStripeSimulator, type StripeSimulator } from '../stripe/stripe.ts';
import { storedDocument } from './stored.ts';

export const day = 86_400_000;

/** A request to the webhook. `at`: ISO 8601; `body`: exact bytes. */
interface Sent {
  at: string;
  body: string;
  signature: string;
}

/** A Stripe simulator without a server: time stops until `turn`, and events are recorded. */
export async function testStripe(now = '2026-11-21T14:05:00.000Z', stored?: () => Promise<SharedDocument<State>>) {
  const memory = storedDocument(newState(new Date(now).getTime() / 1000));
  let currentTime = new Date(now);
  const clock = { now: () => currentTime };
  const sentEvents: Sent[] = [];
  let webhook: (type: string) => number = () => 200;
  const openSimulator = async () =>
    openStripeSimulator({
      document: await (stored?.() ?? memory),
      clock,
      pages_url: 'http://localhost:4380/dev/payments',
      async send(body, signature) {
        sentEvents.push({ at: currentTime.toISOString(), body, signature });
        return webhook(typeOf(body));
      },
    });
  let stripeSimulator = await openSimulator();

  const world = {
    clock,
    sent: sentEvents,
    get stripeSimulator(): StripeSimulator {
      return stripeSimulator;
    },
    get stripe(): Stripe {
      return stripeAt(stripeSimulator);
    },
    answers(status: (type: string) => number): void {
      webhook = status;
    },
    /** Advances the clock and runs what is due. */
    async turn(ms: number): Promise<void> {
      currentTime = new Date(currentTime.getTime() + ms);
      await stripeSimulator.deliver();
    },
    /** The types of the events since the last call, in order. */
    async told(): Promise<string[]> {
      await stripeSimulator.deliver();
      return sentEvents.splice(0).map(({ body }) => typeOf(body));
    },
    second: openSimulator,
    async restart(): Promise<void> {
      await stripeSimulator.close();
      stripeSimulator = await openSimulator();
    },
    /** Completes a checkout; returns the plan and its session. */
    async buys(more: Partial<Stripe.Checkout.SessionCreateParams> & { price?: string; trial?: number; card?: Card; code?: string } = {}) {
      const { price = 'price_family_yearly', trial = 14, card = 'works', code = '', ...sessionParams } = more;
      const { stripe } = world;
      const customer = sessionParams.customer ?? (await stripe.customers.create({ email: 'ann@example.org' })).id;
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: 'http://localhost:4380/dashboard/stripe/success',
        cancel_url: 'http://localhost:4380/dashboard/stripe/cancel',
        ...(trial ? { subscription_data: { trial_period_days: trial } } : {}),
        ...sessionParams,
      });
      await stripeSimulator.at((shop) => {
        const openSession = shop.state.sessions[session.id];
        if (openSession) completeSession(shop, openSession, card, code);
      });
      const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
      return { customer: String(customer), session: session.id, id: String(subscription) };
    },
    async close(): Promise<void> {
      await stripeSimulator.close();
    },
  };
  return world;
}

export function stripeAt({ settings }: StripeSimulator): Stripe {
  const { hostname, port } = new URL(settings.api_base);
  return new Stripe(settings.secret_key, {
    host: hostname,
    port,
    protocol: 'http',
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

const typeOf = (body: string) => (JSON.parse(body) as { type: string }).type;
