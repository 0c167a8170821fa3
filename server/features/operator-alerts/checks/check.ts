import type { Reading } from '../problem-rule.ts';

export interface OperationCheck {
  /** Names the problem in the table, in metrics and to the operator's webhook; never changes. */
  key: string;
  /** Each server reads what is around itself, such as its own way to Stripe. */
  reads_own?: boolean;
  /** `isKnown`: there is a row of this problem, of whichever server. It must not change anything. */
  read(isKnown: boolean): Promise<Reading>;
}
