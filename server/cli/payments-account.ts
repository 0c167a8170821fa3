import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { accountOfKey, foreignInWords, inWords, same } from '../features/subscriptions/payment-account.ts';
import type { Command, Parts } from './parts.ts';
import { paymentFailure } from './payments.ts';
import { readOptions } from './usage.ts';

export const paymentsStatus: Command = (args) => {
  readOptions('payments status', args, {});
  return async (on) => [...(await accountSentences(on)), ...(await planSentences(on))];
};

export const believePayments: Command = (args) => {
  const typed = readOptions('payments believe', args, { account: { type: 'string' }, missing: { type: 'boolean' } });
  if ((typed.account === undefined) === (typed.missing === undefined)) {
    throw new Usage(
      'Say what to believe with one of the two: --account acct_1, that the plans belong to that account of Stripe now; or --missing, that the plans are over of which Stripe says nothing any more.',
    );
  }
  return typed.account === undefined ? believeMissing : (on) => believeAccount(on, typed.account ?? '');
};

async function believeMissing({ doubts }: Parts): Promise<string[]> {
  const many = await doubts.believeAll();
  return [
    many === 0
      ? 'Stripe knows every plan that runs here; nothing changed.'
      : `${many === 1 ? 'This plan ends' : `These ${many} plans end`} the next time that Stripe is asked about ${many === 1 ? 'it' : 'them'}, at the latest at night, unless Stripe knows ${many === 1 ? 'it' : 'them'} again by then.`,
  ];
}

/** Only the account of the key that is set, so that nothing mistyped is stored. */
async function believeAccount({ paymentAccounts, payments }: Parts, id: string): Promise<string[]> {
  const { stripe, livemode } = await payments();
  const mine = await accountOfKey(stripe, livemode);
  if (!mine) throw new Usage('STRIPE_SECRET_KEY may not read its own account; give the restricted key that permission at Stripe.');
  if (mine.id !== id) throw new Usage(`STRIPE_SECRET_KEY belongs to ${inWords(mine)}; say --account ${mine.id}, or set the key of ${id}.`);
  await paymentAccounts.accept(mine);
  return [`The plans here belong to the Stripe account ${inWords(mine)} now. A plan that it does not know is kept; see payments status.`];
}

async function accountSentences({ paymentAccounts, payments }: Parts): Promise<string[]> {
  const stored = await paymentAccounts.get();
  const ours = stored ? `The plans here belong to the Stripe account ${inWords(stored)}.` : 'No Stripe account was used here yet.';
  try {
    const { stripe, livemode } = await payments();
    const mine = await accountOfKey(stripe, livemode);
    if (!mine) return [ours, 'STRIPE_SECRET_KEY may not read its own account; give the restricted key that permission at Stripe.'];
    if (stored && !same(stored, mine)) return [foreignInWords(stored, mine)];
    return [ours, `STRIPE_SECRET_KEY belongs to ${inWords(mine)}${stored ? ', the right one' : ''}.`];
  } catch (reason) {
    const words = paymentFailure(reason);
    if (words === null) throw reason;
    return [ours, words];
  }
}

async function planSentences({ doubts }: Parts): Promise<string[]> {
  const [many, all, oldest] = [await doubts.waiting(), await doubts.plans(), await doubts.oldest()];
  if (!oldest) return [all === 1 ? 'The plan that runs here is known at Stripe.' : `All ${all} plans that run here are known at Stripe.`];
  const since = oldest.toISOString().slice(0, 16).replace('T', ' ');
  return [
    `Stripe says nothing any more of ${many} of the ${all} plans that run here, of the first since ${since} (UTC). All are kept.`,
    'Put right what is wrong at Stripe or with the key. If these plans are over indeed, run: npm run porchlight -- payments believe --missing',
  ];
}
