import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { feedTrial } from '@porchlight/agent/testing/feed-trial.ts';
import { mutatedFeeds } from '@porchlight/agent/testing/mutated-feeds.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';

export const minutes = 1;

/** 10,000 feeds with one defect each: an agent must refuse them and continue with the last good one. FEEDS_SEED repeats a round. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const seed = Number(process.env.FEEDS_SEED ?? Date.now() % 2 ** 32);
  log(`seed ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-feeds-'));
  try {
    return await feedTrial(folder, mutatedFeeds(seed, readCatalogue().slice(0, 2)), 10_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
