import type Stripe from 'stripe';
import { fail } from '../../lib/errors.ts';
import type { Standing } from './payment-account.ts';

export interface Log {
  warn(o: object, m: string): void;
  error(o: object, m: string): void;
}

/** What Stripe's library throws, as far as it is looked at. */
type Failure = Stripe.errors.StripeError;

/** Asks Stripe; whatever fails there is `payments_down` here, and so is everything while the key belongs to another account than the plans. */
export type Ask = <T>(call: () => Promise<T>) => Promise<T>;

export function asker(log: Log, standing: () => Promise<Standing>): Ask {
  return async (call) => {
    try {
      if ((await standing()) === 'foreign') fail('payments_down');
      return await call();
    } catch (err) {
      if (!isFailure(err)) throw err;
      // Not its message: Stripe repeats in it what it was sent.
      const { type, code, param, statusCode } = err;
      const facts = { type, code, param, status: statusCode };
      if (statusCode === 401) log.error(facts, 'Stripe does not know this key; every plan stays as it is. Check STRIPE_SECRET_KEY');
      else log.warn(facts, 'the payment service did not do what it was asked');
      return fail('payments_down');
    }
  };
}

function isFailure(err: unknown): err is Failure {
  return err instanceof Error && 'type' in err && String(err.type).startsWith('Stripe');
}

/** Stripe understood and refused; `param` begins with what it did not like. */
export function refused(err: unknown, param = ''): boolean {
  return isFailure(err) && err.type === 'StripeInvalidRequestError' && (err.param ?? '').startsWith(param);
}

/** For a person who waits for an answer that does not depend on Stripe: one try, in milliseconds. */
export const impatient = { timeout: 3000, maxNetworkRetries: 0 } satisfies Stripe.RequestOptions;
