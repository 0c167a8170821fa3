import Stripe from 'stripe';
import type { SharedDocument } from '../ports.ts';
import { type Card, completeSession } from '../stripe/checkout.ts';
import { newState, type State } from '../stripe/state.ts';
import { openStripeSimulator, type StripeSimulator } from '../stripe/stripe.ts';
import { storedDocument } from './stored.ts';

export const day = 86_400_000;

/** What a webhook got: when (ISO 8601), the exact body and its signature. */
interface Sent {
  at: string;
  body: string;
  signature: string;
}

/** A Stripe simulator without a server: its time stands still until it is turned, and what it tells is written down. */
export async function testStripe(now = '2026-11-21T14:05:00.000Z', stored?: () => Promise<SharedDocument<State>>) {
  const memory = storedDocument(newState(new Date(now).getTime() / 1000));
  let moment = new Date(now);
  const clock = { now: () => moment };
  const sent: Sent[] = [];
  let webhook: (type: string) => number = () => 200;
  const open = async () =>
    openStripeSimulator({
      kept: await (stored?.() ?? memory),
      clock,
      pages_url: 'http://localhost:4380/dev/payments',
      async send(body, signature) {
        sent.push({ at: moment.toISOString(), body, signature });
        return webhook(typeOf(body));
      },
    });
  let stripeSimulator = await open();

  const world = {
    clock,
    sent,
    get stripeSimulator(): StripeSimulator {
      return stripeSimulator;
    },
    get stripe(): Stripe {
      return stripeAt(stripeSimulator);
    },
    /** What the webhook answers from now on, by the type of the event. */
    answers(status: (type: string) => number): void {
      webhook = status;
    },
    /** Lets time pass, and what it brings happen. */
    async turn(ms: number): Promise<void> {
      moment = new Date(moment.getTime() + ms);
      await stripeSimulator.deliver();
    },
    /** The types of what was told since the last time this was asked, in the order of telling. */
    async told(): Promise<string[]> {
      await stripeSimulator.deliver();
      return sent.splice(0).map(({ body }) => typeOf(body));
    },
    /** Another server on the same shop. */
    second: open,
    async restart(): Promise<void> {
      await stripeSimulator.close();
      stripeSimulator = await open();
    },
    /** Someone who ordered and pressed the button; the plan, and the session that it comes from. */
    async buys(more: Partial<Stripe.Checkout.SessionCreateParams> & { price?: string; trial?: number; card?: Card; code?: string } = {}) {
      const { price = 'price_family_yearly', trial = 14, card = 'works', code = '', ...rest } = more;
      const { stripe } = world;
      const customer = rest.customer ?? (await stripe.customers.create({ email: 'ann@example.org' })).id;
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: 'http://localhost:4380/dashboard/stripe/success',
        cancel_url: 'http://localhost:4380/dashboard/stripe/cancel',
        ...(trial ? { subscription_data: { trial_period_days: trial } } : {}),
        ...rest,
      });
      await stripeSimulator.at((shop) => {
        const open = shop.state.sessions[session.id];
        if (open) completeSession(shop, open, card, code);
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

/** Stripe's own library, which knows nothing of simulators. */
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
