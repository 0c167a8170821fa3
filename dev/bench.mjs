import { begin } from './setup.mjs';

await begin('dev/bench.ts', {
  longHelp: true,
  help: `npm run bench             Measures everything, one after the other, beside a peer where there is one.
npm run bench -- NAME …   Only what has this in its name.
npm run bench -- --json   One object a row, for programs.
npm run bench -- --help   This page; once the packages are installed, also the names of all benches.`,
});
