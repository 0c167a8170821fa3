import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { type Command, giftInWords } from './command-deps.ts';
import { addressOf, supportInWords } from './support.ts';
import { readOptions } from './usage.ts';
import { wholeNumber } from './values.ts';

export const grantAccount: Command = {
  name: 'account grant',
  usage: '--email ADDRESS [--devices N] [--external | --no-external] [--lifetime | --no-lifetime]',
  help: 'What an account may do without paying.',
  read: (args) => {
    const options = readOptions('account grant', args, {
      email: { type: 'string' },
      devices: { type: 'string' },
      external: { type: 'boolean' },
      lifetime: { type: 'boolean' },
    });
    const ownerEmail = addressOf(options.email);
    const { external, lifetime } = options;
    if (options.devices === undefined && external === undefined && lifetime === undefined) {
      throw new Usage('Say what to give with at least one of --devices N, --external, --no-external, --lifetime and --no-lifetime.');
    }
    const gift = {
      ...(options.devices === undefined ? {} : { device_limit: wholeNumber('--devices', options.devices, { min: 0, max: 10_000 }) }),
      ...(external === undefined ? {} : { external }),
      ...(lifetime === undefined ? {} : { lifetime }),
    };
    return async ({ accounts, accountOf, policiesChange }) => {
      const { uuid } = await accountOf(ownerEmail);
      await accounts.grant(uuid, gift);
      // A gained or lost plan changes how devices are protected (P6.3).
      await policiesChange(uuid);
      const account = await accounts.byUuid(uuid);
      return [`${account.email} now has ${giftInWords(account)}.`];
    };
  },
};

export const showAccount: Command = {
  name: 'account show',
  usage: '--email ADDRESS',
  help: 'What an account has.',
  read: (args) => {
    const ownerEmail = addressOf(readOptions('account show', args, { email: { type: 'string' } }).email);
    return async ({ accountOf, support }) => {
      const account = await accountOf(ownerEmail);
      const details = await support.of(account.uuid);
      return [
        `${account.name}, ${account.email} (${account.email_verified ? 'confirmed' : 'not confirmed yet'})`,
        `Has ${giftInWords(account)}.`,
        account.register_promo_code ? `Registered with the promo ${account.register_promo_code}.` : 'Registered without a promo.',
        details ? `Asks ${supportInWords(details)}.` : 'Asks the usual support.',
      ];
    };
  },
};
