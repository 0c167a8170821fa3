import { describeFailure, type Tally } from './tally.ts';
import type { Part } from './test-parts.ts';

export interface PartResult {
  part: Pick<Part, 'title' | 'run'>;
  tally: Tally;
}

/** A failure of a file that passed when it ran again. */
export interface Flaky {
  file: string;
  text: string;
}

/** More failed files have one cause, which is not chance. */
const filesMax = 12;

/**
 * Runs each failed file once more, alone. If it passes, its second result replaces the first in the tally. Returns the replaced failures: a
 * test that fails by chance is a bug too, and is shown.
 */
export async function runFailedAgain(results: PartResult[]): Promise<Flaky[]> {
  const failed = results.flatMap(({ part, tally }) =>
    [...tally.files].filter(([, result]) => result.failed > 0).map(([file, result]) => ({ part, tally, file, result })),
  );
  if (failed.length > filesMax) {
    console.log(`\n== ${failed.length} files failed: too many to be chance, so none is run again`);
    return [];
  }
  const flaky: Flaky[] = [];
  for (const { part, tally, file, result } of failed) {
    console.log(`\n== Again, alone: ${file} (${part.title})`);
    const second = await part.run([file], false);
    const secondResult = second.files.get(file);
    if (!secondResult || secondResult.failed > 0 || secondResult.passed === 0 || second.broken.length) continue;
    tally.files.set(file, secondResult);
    flaky.push(...result.failures.map((failure) => ({ file, text: describeFailure(file, failure) })));
  }
  return flaky;
}
