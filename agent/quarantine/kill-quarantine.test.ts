import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { killQuarantine } from '../testing/kill-quarantine.ts';

it('[P4.5] a quarantine killed three times loses no file and duplicates none', async () => {
  expect(await killQuarantine(3, await temporaryFolder(), Math.random)).toEqual([]);
});
