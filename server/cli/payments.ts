import type { Config } from '../config.ts';
import type { Db } from '../db/open.ts';
import { systemClock } from '../lib/clock.ts';
import { keptShop } from '../outside/payments/local-till.ts';
import { type Payments, stripePayments } from '../outside/payments/payments.ts';
import { openTill } from '../outside/payments/till.ts';

/** Stripe; without its key the test shop, whether the server runs or not. */
export async function openPayments({ payments, public_url }: Config, db: Db): Promise<Payments & { close(): Promise<void> }> {
  if (payments !== 'till') return { ...stripePayments(payments), close: async () => {} };
  // For this command alone: what is to be told waits for the server.
  const till = await openTill({
    kept: await keptShop(db, systemClock),
    clock: systemClock,
    pages_url: `${public_url}/dev/payments`,
    send: async () => 0,
    alone: true,
  });
  return { ...stripePayments(till.settings), close: till.close };
}

/** What Stripe's library throws, in one sentence; null for anything else. */
export function paymentFailure(reason: unknown): string | null {
  const { type, message } = reason as { type?: string; message?: string };
  if (type === 'StripeConnectionError') return 'Stripe cannot be reached; check STRIPE_API_BASE and the network, and try again.';
  if (type === 'StripeAuthenticationError') return 'Stripe does not know this key; check STRIPE_SECRET_KEY.';
  if (type === 'StripePermissionError')
    return 'This key may not do that at Stripe; STRIPE_SECRET_KEY needs the right to write coupons and promotion codes.';
  return type?.startsWith('Stripe') ? `Stripe refused: ${message}` : null;
}
