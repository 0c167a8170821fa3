import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { type Command, giftInWords } from './parts.ts';
import { addressOf, supportInWords } from './support.ts';
import { readOptions } from './usage.ts';
import { wholeNumber } from './values.ts';

export const grantAccount: Command = (args) => {
  const typed = readOptions('account grant', args, {
    email: { type: 'string' },
    devices: { type: 'string' },
    external: { type: 'boolean' },
    lifetime: { type: 'boolean' },
  });
  const whose = addressOf(typed.email);
  const { external, lifetime } = typed;
  if (typed.devices === undefined && external === undefined && lifetime === undefined) {
    throw new Usage('Say what to give with at least one of --devices N, --external, --no-external, --lifetime and --no-lifetime.');
  }
  const gift = {
    ...(typed.devices === undefined ? {} : { device_limit: wholeNumber('--devices', typed.devices, { min: 0, max: 10_000 }) }),
    ...(external === undefined ? {} : { external }),
    ...(lifetime === undefined ? {} : { lifetime }),
  };
  return async ({ accounts, accountOf, policiesChange }) => {
    const { uuid } = await accountOf(whose);
    await accounts.grant(uuid, gift);
    // With a plan or without one a device is protected in another way (P6.3).
    await policiesChange(uuid);
    const account = await accounts.byUuid(uuid);
    return [`${account.email} now has ${giftInWords(account)}.`];
  };
};

export const showAccount: Command = (args) => {
  const whose = addressOf(readOptions('account show', args, { email: { type: 'string' } }).email);
  return async ({ accountOf, support }) => {
    const account = await accountOf(whose);
    const details = await support.of(account.uuid);
    return [
      `${account.name}, ${account.email} (${account.email_verified ? 'confirmed' : 'not confirmed yet'})`,
      `Has ${giftInWords(account)}.`,
      account.register_promo_code ? `Registered with the promo ${account.register_promo_code}.` : 'Registered without a promo.',
      details ? `Asks ${supportInWords(details)}.` : 'Asks the usual support.',
    ];
  };
};
