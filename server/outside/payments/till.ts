import type { Clock } from '../../lib/clock.ts';
import type { StripeSettings } from './payments.ts';

export interface TillOptions {
  /** Where everything it knows is kept, across restarts. */
  folder: string;
  clock: Clock;
  /** Where its pages are, without a slash at the end: `http://localhost:4380/dev/payments`. */
  pages_url: string;
  /** Carries a signed event to the webhook and answers the status. Anything but a 2xx is sent again later. */
  send(body: string, signature: string): Promise<number>;
}

/** The stand-in for Stripe: a shop in which nothing is charged. */
export interface Till {
  /** For `stripePayments`. */
  settings: StripeSettings;
  /** Sends what is due: new events in the order they happened, and those again that were refused. Ends when each was answered. */
  deliver(): Promise<void>;
  /** While held, nothing is sent, not even by `deliver`: for what happens when events are late or lost. */
  hold(held: boolean): void;
  close(): Promise<void>;
}
