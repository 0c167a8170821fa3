import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAgentTrial } from '@porchlight/agent/testing/kill-agent.ts';

export const minutes = 2;

/** The agent is killed fifty times while it ends programs: it must be back in 5 s, with nothing lost or duplicated (P4.5, P4.7). */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-kill-'));
  try {
    return await killAgentTrial(folder, 50, log);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
