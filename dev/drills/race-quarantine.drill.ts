import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Race, raceQuarantine } from '../../agent/testing/race-quarantine.ts';

export const minutes = 5;

const races: Race[] = [
  { swaps: 'name', rounds: 80 },
  { swaps: 'folder', rounds: 60 },
  { swaps: 'file', rounds: 60 },
  { swaps: 'folder', rounds: 60, platform: 'darwin' },
];

/** 260 files quarantined and restored as root, while the folder's owner replaces file, name or folder with a link to root's files. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    log('left out: only root on Linux has rights that could be won');
    return [];
  }
  const problems: string[] = [];
  for (const race of races) {
    const folder = await mkdtemp(join(tmpdir(), 'porchlight-drill-'));
    try {
      const { violations, back } = await raceQuarantine(folder, race);
      log(
        `${race.swaps}${race.platform ? ` as on ${race.platform}` : ''}: ${race.rounds} rounds, ${violations.length} won, ${back} files back`,
      );
      problems.push(...violations);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return problems;
}
