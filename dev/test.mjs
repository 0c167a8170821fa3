import { begin } from './setup.mjs';

await begin('dev/test.ts', {
  help: `npm test             Runs every test there is: all packages, then the whole product in a browser. Started by root on
                     Debian or Ubuntu it installs what it needs and is missing (Chromium, PostgreSQL, Wine and what
                     builds installers); started by anyone else it says what is missing and skips those tests.
npm test -- --help   This page.

One file: npx vitest run --project server server/config.test.ts`,
});
