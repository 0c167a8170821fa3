import { expect, test } from 'vitest';
import { enumerationDrill } from './enumeration.ts';
import { medianDifference } from './enumeration-tools.ts';

test('[P2.2] whoever asks by forgotten password, login or change of address gets the same answer for an address that is taken and a free one', async () => {
  const { wrong, seen } = await enumerationDrill(3, false);
  expect(wrong).toEqual([]);
  expect(seen).toHaveLength(4);
}, 120_000);

test.each([
  [[1, 2, 3], [2, 1, 3], 0],
  [[10, 10], [10, 11], 0.05],
  [[20, 22, 100], [20], 0.1],
])('the medians of %j and %j are %d apart', (some, others, apart) => {
  const timed = (times: number[]) => times.map((ms) => ({ ms, status: 200, headers: {}, body: '{}' }));
  expect(medianDifference(timed(some), timed(others)).difference).toBeCloseTo(apart, 9);
  expect(medianDifference(timed(others), timed(some)).difference).toBeCloseTo(apart, 9);
});
