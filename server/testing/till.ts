import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { inject } from 'vitest';
import { openDb } from '../db/open.ts';
import { after } from '../lib/clock.ts';
import { keptShop } from '../outside/payments/local-till.ts';
import { stripePayments } from '../outside/payments/payments.ts';
import { type Card, completeSession } from '../outside/payments/till/checkout.ts';
import { openTill, type Till } from '../outside/payments/till.ts';
import { common, withDatabase } from './global-setup.ts';

export const day = 86_400_000;

/** What a webhook got: when (ISO 8601), the exact body and its signature. */
interface Sent {
  at: string;
  body: string;
  signature: string;
}

/** A till without a server: its time stands still until it is turned, and what it tells is written down. */
export async function testTill(now = '2026-11-21T14:05:00.000Z') {
  const name = `shop_${randomBytes(6).toString('hex')}`;
  const { db, close } = openDb(withDatabase(inject('postgres_url'), common), 3);
  let moment = new Date(now);
  const clock = { now: () => moment };
  const sent: Sent[] = [];
  let webhook: (type: string) => number = () => 200;
  const open = async () =>
    openTill({
      kept: await keptShop(db, clock, name),
      clock,
      pages_url: 'http://localhost:4380/dev/payments',
      async send(body, signature) {
        sent.push({ at: moment.toISOString(), body, signature });
        return webhook(typeOf(body));
      },
    });
  let till = await open();

  const world = {
    db,
    name,
    clock,
    sent,
    get till(): Till {
      return till;
    },
    get payments() {
      return stripePayments(till.settings);
    },
    get stripe(): Stripe {
      return stripePayments(till.settings).stripe;
    },
    /** What the webhook answers from now on, by the type of the event. */
    answers(status: (type: string) => number): void {
      webhook = status;
    },
    /** Lets time pass, and what it brings happen. */
    async turn(ms: number): Promise<void> {
      moment = after(moment, ms);
      await till.deliver();
    },
    /** The types of what was told since the last time this was asked, in the order of telling. */
    async told(): Promise<string[]> {
      await till.deliver();
      return sent.splice(0).map(({ body }) => typeOf(body));
    },
    /** Another server on the same shop. */
    second: open,
    async restart(): Promise<void> {
      await till.close();
      till = await open();
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
      await till.at((shop) => {
        const open = shop.state.sessions[session.id];
        if (open) completeSession(shop, open, card, code);
      });
      const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
      return { customer: String(customer), session: session.id, id: String(subscription) };
    },
    async close(): Promise<void> {
      await till.close();
      await db.deleteFrom('shared_documents').where('name', '=', name).execute();
      await close();
    },
  };
  return world;
}

const typeOf = (body: string) => (JSON.parse(body) as { type: string }).type;
