import { begin } from './setup.mjs';

await begin('server/cli/main.ts', {
  longHelp: true,
  needs: 'production',
  help: `npm run porchlight -- COMMAND   What an operator does by hand: sign-up codes, promos, support, accounts, mail, keys, payments.
npm run porchlight -- --help    This page; once the packages are installed, all commands with their options.`,
});
