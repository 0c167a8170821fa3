import { begin } from './setup.mjs';

await begin('dev/test.ts', {
  help: `npm test                     Runs the fast tests. First it says what it needs, what is missing, what it installs and how long it takes.
npm test -- --all            Runs every test: also all journeys, wine, installers, real browsers with policies, proxies, start and release.
npm test -- --changed [REV]  Runs the tests that can notice what differs from main, or from REV, and says which and why.
npm test -- --all --map      Also writes which tests run which code, for --changed. Takes two fifths longer.
npm test -- PATH …           Runs only these files or folders, such as server/features/devices or e2e/login.e2e.ts.
npm test -- PATH -t TITLE    Of those, only the tests with this in their title.
npm test -- --plan           Says all that and runs nothing.
npm test -- --no-install     Installs nothing; what is missing is skipped.
npm test -- --strict         Tries no failed test again. Without it, each is tried once more, and what passes then is printed as flaky.
npm test -- --help           This page.

Started by root on Debian or Ubuntu it installs, with apt-get, what is missing; started by anyone else it skips those tests and says why.
Only a browser comes by npm, into .cache, where there is none.`,
});
