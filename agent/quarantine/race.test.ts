import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { leaveOut } from '../testing/left-out.ts';
import { type Race, raceQuarantine } from '../testing/race-quarantine.ts';

describe('A1: whoever owns a folder, and swaps what lies in it while root puts a file away and back', () => {
  test.for<Race>([
    { swaps: 'name', rounds: 4 },
    { swaps: 'folder', rounds: 3 },
    { swaps: 'file', rounds: 3 },
    { swaps: 'folder', rounds: 3, platform: 'darwin' },
  ])('gains nothing of root’s ($swaps, $platform)', async (race, context) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) leaveOut(context, 'only root has rights that could be won.');
    const { won } = await raceQuarantine(await temporaryFolder(), race);
    expect(won).toEqual([]);
  });
});
