import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killTrial } from '@porchlight/agent/testing/kill-trial.ts';

export const minutes = 2;

/** The agent is killed while it reports; no report may be lost or duplicated. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-kill-'));
  try {
    return await killTrial(folder, 50, log);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
