import Stripe from 'stripe';

/** How Stripe is reached. */
export interface StripeSettings {
  secret_key: string;
  /** Signs what arrives at /api/stripe/webhook. */
  webhook_secret: string;
  /** Without a slash at the end. */
  api_base: string;
}

/** Who takes payments: Stripe, or the Stripe simulator that stands in for it. The server does not know which of the two (P6.2). */
export interface Payments {
  stripe: Stripe;
  webhook_secret: string;
  /** False for test keys and for the Stripe simulator: an event from the other mode is not ours. */
  livemode: boolean;
}

/** One call may take this long, in milliseconds, and is tried this often again. */
const patience = { timeout: 10_000, maxNetworkRetries: 2 };

export function stripePayments({ secret_key, webhook_secret, api_base }: StripeSettings): Payments {
  const { protocol, hostname, port } = new URL(api_base);
  const stripe = new Stripe(secret_key, {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...patience,
    telemetry: false,
  });
  return { stripe, webhook_secret, livemode: /^[rs]k_live_/.test(secret_key) };
}
