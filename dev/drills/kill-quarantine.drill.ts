import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killQuarantine } from '../../agent/testing/kill-quarantine.ts';

export const minutes = 1;

export async function drill(log: (line: string) => void): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-drill-'));
  try {
    const problems = await killQuarantine(50, folder, Math.random);
    log(`50 kills, ${problems.length} wrong`);
    return problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
