import { begin } from './setup.mjs';

await begin('dev/check.ts', {
  help: `npm run check             Checks the code without running the product: format, lint, types, unused code, who may import whom,
                          words, and the weight of the pages. Takes about two minutes.
npm run check -- --fast   Only the files that differ from main, and the types of what imports them: seconds for a small change.
npm run check -- --count-words
                          Lowers the numbers of words that docs/glossary.md replaces (dev/word-counts.json) to what there is.
npm run check -- --write-docs
                          Writes docs/operating/settings.md, docs/operating/commands.md and .env.example from the source.
npm run check -- --help   This page.`,
});
