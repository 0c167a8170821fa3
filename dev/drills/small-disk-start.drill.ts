import { firstStartOnSmallDisk, smallDiskPossible } from './small-disk-start.ts';

/** In megabytes: where in the first start each fills differs, from the first file of the database to the last table. */
const sizes = [1, 8, 24, 38, 41, 44];

export async function drill(log: (line: string) => void): Promise<string[]> {
  if (!smallDiskPossible()) {
    log('skipped: a disk of its own takes root on Linux');
    return [];
  }
  const wrong: string[] = [];
  for (const size of sizes) {
    const found = await firstStartOnSmallDisk(size);
    log(`a first start with ${size} MB: ${found.length ? found.join('; ') : 'named in a sentence, and the next start works'}`);
    wrong.push(...found);
  }
  return wrong;
}
