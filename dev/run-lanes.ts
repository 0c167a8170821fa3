import { openTestFolder } from './ram-disk.ts';
import { summaryOf, type Tally } from './tally.ts';
import { lanesMax, type Part } from './test-parts.ts';

export interface PartResult {
  part: Pick<Part, 'title'>;
  tally: Tally;
}

/** Runs `run` with a temporary folder that nothing remains of. */
export async function withTestFolder<T>(run: () => Promise<T>): Promise<T> {
  const testFolder = await openTestFolder();
  const usualFolder = process.env.TMPDIR;
  process.env.TMPDIR = testFolder.folder;
  try {
    return await run();
  } finally {
    if (usualFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usualFolder;
    await testFolder.close();
  }
}

/**
 * Lanes run next to each other, and each takes the next chain of parts when it is free. The first lane prints at once, the others at the end of each
 * part. `isEnding`: no part begins once this is true.
 */
export async function runLanes(chains: Part[][], isEnding = () => false): Promise<PartResult[]> {
  const results: PartResult[] = [];
  const waiting = [...chains];
  const runLane = async (n: number) => {
    for (let chain = waiting.shift(); chain; chain = waiting.shift()) for (const part of chain) await runPart(part, n > 0);
  };
  const runPart = async (part: Part, printLater: boolean) => {
    if (isEnding()) return;
    const startedAt = performance.now();
    if (!printLater) console.log(`\n== ${part.title}`);
    const tally = await part.run(printLater);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    console.log(`\n== ${part.title}: ${summaryOf(tally)}, in ${minutes} minutes`);
    results.push({ part, tally });
  };
  await Promise.all(Array.from({ length: lanesMax }, (_, n) => runLane(n)));
  return results;
}
