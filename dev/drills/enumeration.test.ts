import { expect, test } from 'vitest';
import { enumerationDrill } from './enumeration.ts';
import { medianDifference } from './enumeration-tools.ts';

test('[P2.2] forgotten password, login and change of address answer the same for a registered and an unregistered address', async () => {
  const { wrong, seen } = await enumerationDrill(3, false);
  expect(wrong).toEqual([]);
  expect(seen).toHaveLength(4);
}, 120_000);

test.each([
  [[1, 2, 3], [2, 1, 3], 0],
  [[10, 10], [10, 11], 0.05],
  [[20, 22, 100], [20], 0.1],
])('the medians of the durations %j and %j differ by the ratio %d', (firstDurations, secondDurations, expectedRatio) => {
  const answersWith = (durations: number[]) => durations.map((ms) => ({ ms, status: 200, headers: {}, body: '{}' }));
  expect(medianDifference(answersWith(firstDurations), answersWith(secondDurations)).difference).toBeCloseTo(expectedRatio, 9);
  expect(medianDifference(answersWith(secondDurations), answersWith(firstDurations)).difference).toBeCloseTo(expectedRatio, 9);
});
