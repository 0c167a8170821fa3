import { runLanes, withTestFolder } from '../run-lanes.ts';
import { chainsOf, partsOfTier, variablesFor } from '../test-parts.ts';
import { describeRun, notAlwaysGreen, type SuiteRun, startLoad } from './flaky.ts';

export const minutes = 240;

const quietRuns = 5;
const runsUnderLoad = 5;

/** Runs the whole suite ten times, half of them beside a load that takes a core. Each test must pass every time. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const chains = chainsOf(partsOfTier.whole);
  Object.assign(process.env, variablesFor('whole', chains, { map: false, strict: true }));
  const runs: SuiteRun[] = [];
  for (let n = 0; n < quietRuns + runsUnderLoad; n++) {
    const underLoad = n >= quietRuns;
    const load = underLoad ? startLoad() : null;
    try {
      const startedAt = performance.now();
      const results = await withTestFolder(() => runLanes(chains));
      const run = { underLoad, minutes: (performance.now() - startedAt) / 60_000, results };
      runs.push(run);
      log(describeRun(n + 1, run));
      for (const sentence of notAlwaysGreen([run])) log(`  ${sentence}`);
    } finally {
      await load?.end();
    }
  }
  return notAlwaysGreen(runs);
}
