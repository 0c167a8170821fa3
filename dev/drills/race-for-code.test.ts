import { expect, test } from 'vitest';
import { raceForCodeDrill } from './race-for-code.ts';

test('[P3.1] of fifty agents that send the same device code at once, exactly one is enrolled', async () => {
  expect(await raceForCodeDrill(2)).toEqual([]);
}, 120_000);
