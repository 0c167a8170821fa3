import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkTrial } from '@porchlight/agent/testing/mutated-links.ts';

export const minutes = 6;

/** 100,000 links with one defect each: an agent must refuse all. LINKS_SEED repeats a round. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const seed = Number(process.env.LINKS_SEED ?? Date.now() % 2 ** 32);
  log(`seed ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-links-'));
  try {
    return await linkTrial(folder, 100_000, seed);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
