import { begin } from './setup.mjs';

await begin('agent/main.ts', {
  settings: 'values',
  // It blocks sites on the whole computer where it may.
  usual: { AGENT_SYSTEM: 'auto' },
  longHelp: true,
  help: `npm run agent -- --code ABCD-EFGH   Connects this computer with a code from the dashboard, and protects it until Ctrl-C.
npm run agent -- --free             Protects it with the free plan, without an account.
npm run agent                       Continues as before.
npm run agent -- --help             This page; once the packages are installed, all options.`,
});
