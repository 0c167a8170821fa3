import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Race, raceQuarantine } from '../../agent/testing/race-quarantine.ts';

const races: Race[] = [
  { swaps: 'name', rounds: 80 },
  { swaps: 'folder', rounds: 60 },
  { swaps: 'file', rounds: 60 },
  { swaps: 'folder', rounds: 60, platform: 'darwin' },
];

/** 260 files put away and back as root, while the owner of the folder swaps file, name or folder for a link to what is root's. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    log('left out: only root on Linux has rights that could be won');
    return [];
  }
  const wrong: string[] = [];
  for (const race of races) {
    const folder = await mkdtemp(join(tmpdir(), 'porchlight-drill-'));
    try {
      const { won, back } = await raceQuarantine(folder, race);
      log(`${race.swaps}${race.platform ? ` as on ${race.platform}` : ''}: ${race.rounds} rounds, ${won.length} won, ${back} files back`);
      wrong.push(...won);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return wrong;
}
