import { firstStartOnSmallDisk, smallDiskPossible } from './small-disk-start.ts';

export const minutes = 2;

/** Sizes in megabytes: each disk is full at another step of the first start. */
const sizes = [1, 8, 24, 38, 41, 44];

export async function drill(log: (line: string) => void): Promise<string[]> {
  if (!smallDiskPossible()) {
    log('skipped: a disk of its own takes root on Linux');
    return [];
  }
  const problems: string[] = [];
  for (const size of sizes) {
    const startProblems = await firstStartOnSmallDisk(size);
    log(
      `a first start with ${size} MB: ${startProblems.length ? startProblems.join('; ') : 'named in a sentence, and the next start works'}`,
    );
    problems.push(...startProblems);
  }
  return problems;
}
