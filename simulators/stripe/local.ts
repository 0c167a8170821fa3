import type { Clock, SharedDocument } from '../ports.ts';
import { newState, type State } from './state.ts';
import { openStripeSimulator, type StripeSimulator } from './stripe.ts';

/** The first content of the test shop, which all servers on one database share. */
export const newShop = (clock: Clock) => (): State => newState(Math.floor(clock.now().getTime() / 1000));

interface Place {
  kept: SharedDocument<State>;
  clock: Clock;
  /** What the server listens on, and how people reach it, without a slash at the end. */
  host: string;
  port: number;
  public_url: string;
}

/** How often what is due is looked for, in milliseconds. */
const pace = 2000;

/** The Stripe simulator beside a server that runs: it tells that server's webhook what happens, also what time alone brings. */
export async function openLocalStripe({ kept, clock, host, port, public_url }: Place): Promise<StripeSimulator> {
  const here = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  const stripeSimulator = await openStripeSimulator({
    kept,
    clock,
    pages_url: `${public_url}/dev/payments`,
    async send(body, signature) {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
      const { status } = await fetch(`http://${here}:${port}/api/stripe/webhook`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(30_000),
      });
      return status;
    },
  });
  const timer = setInterval(() => void stripeSimulator.deliver(), pace);
  return {
    ...stripeSimulator,
    close() {
      clearInterval(timer);
      return stripeSimulator.close();
    },
  };
}
