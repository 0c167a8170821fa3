import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { accountJson } from '../features/account-data/json.ts';
import { accountPage } from '../features/account-data/page.ts';
import { writeFilesTogether } from './accounts-files.ts';
import type { Command } from './command-deps.ts';
import { addressOf } from './support.ts';
import { readOptions } from './usage.ts';

export const exportAccount: Command = {
  name: 'accounts export',
  usage: '--email ADDRESS --to DIR [--replace]',
  help: `Everything that is stored about an account, as JSON and as a page to read: account-ID.json and account-ID.html, readable by you alone.
    --replace         Over files of the same names.`,
  read: (args) => {
    const options = readOptions('accounts export', args, {
      email: { type: 'string' },
      to: { type: 'string' },
      replace: { type: 'boolean' },
    });
    const ownerEmail = addressOf(options.email);
    const { to: folder, replace = false } = options;
    if (!folder) throw new Usage('Say where the files go with --to DIR, for example --to exports.');
    return async ({ accountOf, exportOf }) => {
      const [json, page] = [accountJson(), accountPage()];
      const exported = await exportOf((await accountOf(ownerEmail)).uuid, [json, page]);
      if (!exported) throw new Usage(`There is no account with the address ${ownerEmail} any more.`);
      const name = `account-${exported.account.uuid}`;
      const files = { [`${name}.json`]: json.end(), [`${name}.html`]: page.end() };
      const paths = await writeFilesTogether(folder, files, { replace });
      return [
        `Everything that is stored about ${exported.account.email} is in ${paths.join(' and ')}.`,
        'Passwords, PINs and keys are not in it. Give it to the holder alone, and delete it here afterwards.',
      ];
    };
  },
};
