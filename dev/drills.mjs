import { begin } from './setup.mjs';

await begin('dev/drills.ts', {
  longHelp: true,
  help: `npm run drills             Every drill, one after the other: what goes wrong in real life, done on purpose. Takes hours.
npm run drills -- NAME …   Only those with this in their name.
npm run drills -- --help   This page; once the packages are installed, also the names of all drills.`,
});
