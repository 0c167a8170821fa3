import { launchBrowser, moveIn, startTown, type Town } from '@porchlight/e2e/coached/household.ts';
import type { Way } from '@porchlight/e2e/coached/way.ts';
import { ways } from '@porchlight/e2e/coached/ways.ts';
import { buildDashboard } from '../build-dashboard.ts';

export const minutes = 20;

/**
 * Does what scammers have their victims do, by browser and agent, and prints for each way what became of it (`docs/what-it-stops.md`). After
 * a failure the next way has a new server, so that no way fails because of another.
 */
export async function drill(log: (line: string) => void): Promise<string[]> {
  await buildDashboard(log);
  const browser = await launchBrowser();
  const problems: string[] = [];
  let town = await startTown(browser, { timed: true });
  try {
    for (const way of ways) {
      const began = Date.now();
      const failed = await outcomeOf(town, way);
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      log(`${(failed ? 'FAILED' : way.outcome).padEnd(9)} ${way.flow === null ? '' : `${way.flow}. `}${way.title} (${seconds} s)`);
      if (!failed) continue;
      log(`          ${failed.split('\n').join('\n            ')}`);
      problems.push(`${way.title}: ${failed}`);
      await town.close();
      town = await startTown(browser, { timed: true });
    }
  } finally {
    await town.close();
    await browser.close();
  }
  return problems;
}

/** Null when the way has the outcome that it claims. */
async function outcomeOf(town: Town, { household, run }: Way): Promise<string | null> {
  try {
    const home = await moveIn(town, household);
    try {
      await run(home);
    } finally {
      await home.close();
    }
    return null;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}
