import { begin } from './setup.mjs';

await begin('dev/check.ts', {
  help: `npm run check             Looks at the code without running it: format, lint, types, unused code, who may import whom,
                          and the weight of the pages. Takes about two minutes.
npm run check -- --help   This page.`,
});
