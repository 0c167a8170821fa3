import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { stripePayments } from '../outside/payments/payments.ts';
import { runningTill } from '../outside/payments/till/address.ts';
import { openTill, TillInUse } from '../outside/payments/till.ts';

const patience = 60_000;

/** Stripe; without its key the test shop, whether the server runs or not. */
export async function openPayments({ payments, data_dir, public_url }: Config): Promise<{ stripe: Stripe; close(): Promise<void> }> {
  if (payments !== 'till') return { stripe: stripePayments(payments).stripe, close: async () => {} };
  const folder = join(data_dir, 'till');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const end = Date.now() + patience; ; await sleep(50)) {
    const running = await runningTill(folder);
    if (running) return { stripe: stripePayments(running).stripe, close: async () => {} };
    try {
      // For this command alone: the next one waits until it is closed, and what is to be told waits for the server.
      const till = await openTill({
        folder,
        clock: systemClock,
        pages_url: `${public_url}/dev/payments`,
        send: async () => 0,
        alone: true,
      });
      return { stripe: stripePayments(till.settings).stripe, close: till.close };
    } catch (reason) {
      if (!(reason instanceof TillInUse) || Date.now() > end) throw reason;
    }
  }
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
