import { mkdir, rm } from 'node:fs/promises';
import { openTestFolder } from './ram-disk.ts';
import type { PartResult } from './run-again.ts';
import { failuresOf, summaryOf } from './tally.ts';
import { lanesMax, type Part, reports } from './test-parts.ts';

/** Runs `run` with a folder for the reports of the test runners, and a temporary folder that nothing remains of. */
export async function withTestFolders<T>(run: () => Promise<T>): Promise<T> {
  const testFolder = await openTestFolder();
  const usualFolder = process.env.TMPDIR;
  process.env.TMPDIR = testFolder.folder;
  await mkdir(reports, { recursive: true });
  try {
    return await run();
  } finally {
    if (usualFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usualFolder;
    await rm(reports, { recursive: true, force: true });
    await testFolder.close();
  }
}

/**
 * Lanes run next to each other, and each takes the next chain of parts when it is free. The first lane prints at once, the others at the end of each
 * part. `isEnding`: no part begins once this is true. `minutes`: of each part without a failure, by title.
 */
export async function runLanes(
  chains: Part[][],
  isEnding = () => false,
): Promise<{ results: PartResult[]; minutes: Record<string, number> }> {
  const partMinutes: Record<string, number> = {};
  const results: PartResult[] = [];
  const waiting = [...chains];
  const runLane = async (n: number) => {
    for (let chain = waiting.shift(); chain; chain = waiting.shift()) for (const part of chain) await runPart(part, n > 0);
  };
  const runPart = async (part: Part, printLater: boolean) => {
    if (isEnding()) return;
    const startedAt = performance.now();
    if (!printLater) console.log(`\n== ${part.title}`);
    const tally = await part.run(null, printLater);
    const minutes = (performance.now() - startedAt) / 60_000;
    console.log(`\n== ${part.title}: ${summaryOf([tally])}, in ${minutes.toFixed(1)} minutes`);
    results.push({ part, tally });
    if (failuresOf(tally).length === 0) partMinutes[part.title] = minutes;
  };
  await Promise.all(Array.from({ length: lanesMax }, (_, n) => runLane(n)));
  return { results, minutes: partMinutes };
}
