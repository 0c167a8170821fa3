import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { skipTest } from '../testing/left-out.ts';
import { type Race, raceQuarantine } from '../testing/race-quarantine.ts';

describe('A1: a user who swaps entries of their own folder while root quarantines and restores a file', () => {
  test.for<Race>([
    { swaps: 'name', rounds: 4 },
    { swaps: 'folder', rounds: 3 },
    { swaps: 'file', rounds: 3 },
    { swaps: 'folder', rounds: 3, platform: 'darwin' },
  ])('a user who swaps entries of their own folder gains nothing that only root can access ($swaps, $platform)', async (race, context) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) skipTest(context, 'only root has rights that could be won.');
    const { violations } = await raceQuarantine(await temporaryFolder(), race);
    expect(violations).toEqual([]);
  });
});
