import type { Clock, SharedDocument } from '../ports.ts';
import { newState, type State } from './state.ts';
import { openStripeSimulator, type StripeSimulator } from './stripe.ts';

export const newShop = (clock: Clock) => (): State => newState(Math.floor(clock.now().getTime() / 1000));

interface Place {
  document: SharedDocument<State>;
  clock: Clock;
  /** `public_url`: the server's public address, without a slash at the end. */
  host: string;
  port: number;
  public_url: string;
}

/** Polling interval in milliseconds. */
const POLL_MS = 2000;

/** Connects the Stripe simulator to a running server: events, also those caused by time, go to the server's webhook. */
export async function openLocalStripe({ document, clock, host, port, public_url }: Place): Promise<StripeSimulator> {
  const loopbackHost = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  const stripeSimulator = await openStripeSimulator({
    document,
    clock,
    pages_url: `${public_url}/dev/payments`,
    async send(body, signature) {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
      const { status } = await fetch(`http://${loopbackHost}:${port}/api/stripe/webhook`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(30_000),
      });
      return status;
    },
  });
  const timer = setInterval(() => void stripeSimulator.deliver(), POLL_MS);
  return {
    ...stripeSimulator,
    close() {
      clearInterval(timer);
      return stripeSimulator.close();
    },
  };
}
