import type { PaymentTrouble } from '../../../ports.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';

const details = { key_refused: 'it refuses STRIPE_SECRET_KEY', no_answer: 'it does not answer' };

/** A server that has seen no failure asks Stripe only if another server has. */
export const paymentsCheck = (trouble: PaymentTrouble): OperationCheck => ({
  key: 'payments',
  reads_own: true,
  async read(isKnown) {
    const found = await trouble(isKnown);
    return found ? bad(details[found]) : good;
  },
});
