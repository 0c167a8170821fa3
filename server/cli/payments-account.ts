import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { accountOfKey, foreignInWords, inWords, isSameAccount } from '../features/subscriptions/payment-account.ts';
import type { Command, CommandDeps } from './command-deps.ts';
import { paymentFailure } from './payments.ts';
import { readOptions } from './usage.ts';

export const paymentsStatus: Command = {
  name: 'payments status',
  usage: '',
  help: 'The Stripe account that the plans belong to, and whether Stripe knows them.',
  read: (args) => {
    readOptions('payments status', args, {});
    return async (deps) => [...(await accountSentences(deps)), ...(await planSentences(deps))];
  },
};

export const believePayments: Command = {
  name: 'payments believe',
  usage: '(--account ID | --missing)',
  help: `What Stripe reports and the server does not believe by itself.
    --account ID      The plans belong to this Stripe account now.
    --missing         The plans that Stripe no longer reports are over.`,
  read: (args) => {
    const options = readOptions('payments believe', args, { account: { type: 'string' }, missing: { type: 'boolean' } });
    if ((options.account === undefined) === (options.missing === undefined)) {
      throw new Usage(
        'Say what to believe with one of the two: --account acct_1, that the plans belong to that account of Stripe now; or --missing, that the plans are over of which Stripe says nothing any more.',
      );
    }
    return options.account === undefined ? believeMissing : (deps) => believeAccount(deps, options.account ?? '');
  },
};

async function believeMissing({ doubts }: CommandDeps): Promise<string[]> {
  const missingCount = await doubts.believeAll();
  return [
    missingCount === 0
      ? 'Stripe knows every plan that runs here; nothing changed.'
      : `${missingCount === 1 ? 'This plan ends' : `These ${missingCount} plans end`} the next time that Stripe is asked about ${missingCount === 1 ? 'it' : 'them'}, at the latest at night, unless Stripe knows ${missingCount === 1 ? 'it' : 'them'} again by then.`,
  ];
}

/** Accepts only the account of the configured key, so that no mistyped id is stored. */
async function believeAccount({ paymentAccounts, payments }: CommandDeps, id: string): Promise<string[]> {
  const { stripe, livemode } = await payments();
  const keyAccount = await accountOfKey(stripe, livemode);
  if (!keyAccount) throw new Usage('STRIPE_SECRET_KEY may not read its own account; give the restricted key that permission at Stripe.');
  if (keyAccount.id !== id)
    throw new Usage(`STRIPE_SECRET_KEY belongs to ${inWords(keyAccount)}; say --account ${keyAccount.id}, or set the key of ${id}.`);
  await paymentAccounts.accept(keyAccount);
  return [
    `The plans here belong to the Stripe account ${inWords(keyAccount)} now. A plan that it does not know is kept; see payments status.`,
  ];
}

async function accountSentences({ paymentAccounts, payments }: CommandDeps): Promise<string[]> {
  const storedAccount = await paymentAccounts.get();
  const storedSentence = storedAccount
    ? `The plans here belong to the Stripe account ${inWords(storedAccount)}.`
    : 'No Stripe account was used here yet.';
  try {
    const { stripe, livemode } = await payments();
    const keyAccount = await accountOfKey(stripe, livemode);
    if (!keyAccount)
      return [storedSentence, 'STRIPE_SECRET_KEY may not read its own account; give the restricted key that permission at Stripe.'];
    if (storedAccount && !isSameAccount(storedAccount, keyAccount)) return [foreignInWords(storedAccount, keyAccount)];
    return [storedSentence, `STRIPE_SECRET_KEY belongs to ${inWords(keyAccount)}${storedAccount ? ', the right one' : ''}.`];
  } catch (reason) {
    const failureText = paymentFailure(reason);
    if (failureText === null) throw reason;
    return [storedSentence, failureText];
  }
}

async function planSentences({ doubts }: CommandDeps): Promise<string[]> {
  const [missingCount, planCount, oldest] = [await doubts.waiting(), await doubts.plans(), await doubts.oldest()];
  if (!oldest)
    return [planCount === 1 ? 'The plan that runs here is known at Stripe.' : `All ${planCount} plans that run here are known at Stripe.`];
  const since = oldest.toISOString().slice(0, 16).replace('T', ' ');
  return [
    `Stripe says nothing any more of ${missingCount} of the ${planCount} plans that run here, of the first since ${since} (UTC). All are kept.`,
    'Put right what is wrong at Stripe or with the key. If these plans are over indeed, run: npm run porchlight -- payments believe --missing',
  ];
}
