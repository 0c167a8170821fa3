import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { killQuarantine } from '../testing/kill-quarantine.ts';

it('[P4.5] loses no file and keeps none twice when it is killed, three times', async () => {
  expect(await killQuarantine(3, await temporaryFolder(), Math.random)).toEqual([]);
});
