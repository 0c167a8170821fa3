import type Stripe from 'stripe';
import { fail } from '../../lib/errors.ts';
import type { Standing } from './payment-account.ts';

export interface Log {
  warn(o: object, m: string): void;
  error(o: object, m: string): void;
}

/** The errors that Stripe's library throws. */
export type Failure = Stripe.errors.StripeError;

/** Calls Stripe. Failures become `payments_down`, as does every call while the key belongs to a foreign account. */
export type CallStripe = <T>(call: () => Promise<T>) => Promise<T>;

/** `noteResult`: after each call, with null if Stripe did what it was asked. */
export function stripeCaller(log: Log, accountCheck: () => Promise<Standing>, noteResult: (err: Failure | null) => void): CallStripe {
  return async (call) => {
    try {
      if ((await accountCheck()) === 'foreign') fail('payments_down');
      const result = await call();
      noteResult(null);
      return result;
    } catch (err) {
      if (!isFailure(err)) throw err;
      noteResult(err);
      // Stripe's message is not logged, because it repeats the request's data.
      const { type, code, param, statusCode } = err;
      const facts = { type, code, param, status: statusCode };
      if (statusCode === 401) log.error(facts, 'Stripe does not know this key; every plan stays as it is. Check STRIPE_SECRET_KEY');
      else log.warn(facts, 'the payment service did not do what it was asked');
      return fail('payments_down');
    }
  };
}

export function isFailure(err: unknown): err is Failure {
  return err instanceof Error && 'type' in err && String(err.type).startsWith('Stripe');
}

/** Whether Stripe rejected the request; `param` is the prefix of the parameter it rejected. */
export function isRejection(err: unknown, param = ''): boolean {
  return isFailure(err) && err.type === 'StripeInvalidRequestError' && (err.param ?? '').startsWith(param);
}

/** One short attempt (milliseconds), for responses that do not depend on Stripe. */
export const singleAttempt = { timeout: 3000, maxNetworkRetries: 0 } satisfies Stripe.RequestOptions;
