import { begin } from './setup.mjs';

await begin('dev/drills.ts', {
  longHelp: true,
  help: `npm run drills                What goes wrong in real life, done on purpose: the list of drills, and how long each takes. Runs nothing.
npm run drills -- NAME …      Those with this in their name, one after the other.
npm run drills -- --nightly   Those that fit into 90 minutes together, the shortest first.
npm run drills -- --all       Every drill. Takes hours.
npm run drills -- --help      This page; once the packages are installed, also the names of all drills.`,
});
