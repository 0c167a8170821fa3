import Stripe from 'stripe';

export interface StripeSettings {
  secret_key: string;
  webhook_secret: string;
  api_base: string;
}

/** Stripe or the Stripe simulator, without a visible difference for the server (P6.2). */
export interface Payments {
  stripe: Stripe;
  webhook_secret: string;
  /** False for test keys and the simulator. The server ignores events with another `livemode`. */
  livemode: boolean;
}

/** `timeout`: of one call, in milliseconds. */
const requestOptions = { timeout: 10_000, maxNetworkRetries: 2 };

export function stripePayments({ secret_key, webhook_secret, api_base }: StripeSettings): Payments {
  const { protocol, hostname, port } = new URL(api_base);
  const stripe = new Stripe(secret_key, {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...requestOptions,
    telemetry: false,
  });
  return { stripe, webhook_secret, livemode: /^[rs]k_live_/.test(secret_key) };
}
