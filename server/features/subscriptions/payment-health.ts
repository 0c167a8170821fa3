import type Stripe from 'stripe';
import type { PaymentTrouble } from '../../ports.ts';
import { type Failure, isFailure, singleAttempt } from './ask.ts';
import { accountOfKey } from './payment-account.ts';

/**
 * Whether Stripe fails as a whole: it refuses the key, or does not answer. One failed call of the server is only a suspicion, because of
 * which Stripe is then asked for the key's account, until it answers.
 */
export function paymentHealth(stripe: Stripe, livemode: boolean) {
  let isSuspected = false;
  const trouble: PaymentTrouble = async (isKnown) => {
    if (!isKnown && !isSuspected) return null;
    const found = await accountOfKey(stripe, livemode, singleAttempt).then(
      () => null,
      (err: unknown) => {
        if (!isFailure(err)) throw err;
        return troubleOf(err);
      },
    );
    isSuspected = found !== null;
    return found;
  };
  return {
    trouble,
    note(err: Failure | null): void {
      isSuspected = err !== null && troubleOf(err) !== null;
    },
  };
}

/** Any other answer shows that Stripe works, even if it refuses this call. */
function troubleOf({ statusCode }: Failure): Awaited<ReturnType<PaymentTrouble>> {
  if (statusCode === 401) return 'key_refused';
  return statusCode === undefined || statusCode >= 500 ? 'no_answer' : null;
}
