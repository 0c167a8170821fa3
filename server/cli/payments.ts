import { newShop } from '@porchlight/simulators/stripe/local.ts';
import { openStripeSimulator } from '@porchlight/simulators/stripe/stripe.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/open.ts';
import { type Payments, stripePayments } from '../integrations/payments/payments.ts';
import { systemClock } from '../lib/clock.ts';
import { sharedDocument } from '../lib/shared-document.ts';

/** Opens Stripe, or without a key its simulator, whether or not the server runs. */
export async function openPayments({ payments, public_url }: Config, db: Db): Promise<Payments & { close(): Promise<void> }> {
  if (payments !== 'simulator') return { ...stripePayments(payments), close: async () => {} };
  // A command's simulator sends no webhook events: they wait for the server.
  const stripeSimulator = await openStripeSimulator({
    document: await sharedDocument(db, 'test_shop', newShop(systemClock)),
    clock: systemClock,
    pages_url: `${public_url}/dev/payments`,
    send: async () => 0,
    alone: true,
  });
  return { ...stripePayments(stripeSimulator.settings), close: stripeSimulator.close };
}

/** Describes an error of Stripe's library in one sentence; null for other errors. */
export function paymentFailure(reason: unknown): string | null {
  const { type, message } = reason as { type?: string; message?: string };
  if (type === 'StripeConnectionError') return 'Stripe cannot be reached; check STRIPE_API_BASE and the network, and try again.';
  if (type === 'StripeAuthenticationError') return 'Stripe does not know this key; check STRIPE_SECRET_KEY.';
  if (type === 'StripePermissionError')
    return 'This key may not do that at Stripe; STRIPE_SECRET_KEY needs the right to write coupons and promotion codes.';
  return type?.startsWith('Stripe') ? `Stripe refused: ${message}` : null;
}
