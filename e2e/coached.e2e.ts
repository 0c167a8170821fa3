import { moveIn, startTown, type Town } from './coached/household.ts';
import { ways } from './coached/ways.ts';
import { test } from './lib/test.ts';

/** The short form of `npm run drills coached`: what a caller has a victim do, by browser and agent, and what becomes of it. */

let town: Town;
test.beforeAll(async ({ browser }) => {
  town = await startTown(browser);
});
test.afterAll(async () => {
  await town?.close();
});

for (const { title, outcome, household, run } of ways.filter(({ short }) => short)) {
  test(`${title}: ${outcome}`, async () => {
    const home = await moveIn(town, household);
    try {
      await run(home);
    } finally {
      await home.close();
    }
  });
}
