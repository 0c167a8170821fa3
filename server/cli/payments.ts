import { newShop } from '@porchlight/simulators/stripe/local.ts';
import { openStripeSimulator } from '@porchlight/simulators/stripe/stripe.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/open.ts';
import { type Payments, stripePayments } from '../integrations/payments/payments.ts';
import { systemClock } from '../lib/clock.ts';
import { sharedDocument } from '../lib/shared-document.ts';

/** Stripe; without its key the test shop, whether the server runs or not. */
export async function openPayments({ payments, public_url }: Config, db: Db): Promise<Payments & { close(): Promise<void> }> {
  if (payments !== 'simulator') return { ...stripePayments(payments), close: async () => {} };
  // For this command alone: what is to be told waits for the server.
  const stripeSimulator = await openStripeSimulator({
    kept: await sharedDocument(db, 'test_shop', newShop(systemClock)),
    clock: systemClock,
    pages_url: `${public_url}/dev/payments`,
    send: async () => 0,
    alone: true,
  });
  return { ...stripePayments(stripeSimulator.settings), close: stripeSimulator.close };
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
