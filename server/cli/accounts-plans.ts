import { Failure } from '@porchlight/definitions/cli/command-line.ts';
import type { CallStripe } from '../features/subscriptions/ask.ts';
import { accountOfKey, foreignInWords, isSameAccount, type PaymentAccountStore } from '../features/subscriptions/payment-account.ts';
import type { Payments } from '../integrations/payments/payments.ts';

/** Calls Stripe only with the key of the account that the plans belong to: another one knows none of them (P14.2). */
export function onOurAccount({ stripe, livemode }: Payments, accounts: Pick<PaymentAccountStore, 'get'>): CallStripe {
  let checked: Promise<void> | null = null;
  const check = async () => {
    const [keyAccount, storedAccount] = [await accountOfKey(stripe, livemode), await accounts.get()];
    if (keyAccount && storedAccount && !isSameAccount(storedAccount, keyAccount)) {
      throw new Failure(`Nothing was deleted. ${foreignInWords(storedAccount, keyAccount)}`);
    }
  };
  return async (call) => {
    checked ??= check();
    await checked;
    return call();
  };
}
