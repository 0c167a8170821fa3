import { expect, test } from 'vitest';
import { measured, median, type Row } from './bench-row.ts';

const row: Row = { name: 'x', value: 120, unit: 'ms', peer: null, peer_value: null, aim: { at_most: 100 } };

test.each([
  [row, null, false],
  [{ ...row, value: 99 }, null, true],
  [{ ...row, peer: 'other', peer_value: 240, aim: { ratio_at_most: 0.5 } }, 0.5, true],
  [{ ...row, peer: 'other', peer_value: 100, aim: { ratio_at_most: 1 } }, 1.2, false],
  [{ ...row, peer: 'other', peer_value: 100, aim: { ratio_at_least: 1.1 } }, 1.2, true],
  [{ ...row, aim: { ratio_at_least: 1.1 } }, null, false],
] as [Row, number | null, boolean][])('the benchmark result %j has the ratio %s and meets its aim: %s', (givenRow, ratio, meetsAim) => {
  expect(measured(givenRow)).toMatchObject({ ratio, holds: meetsAim });
});

test('the median of benchmark values is the middle value', () => {
  expect(median([3, 1, 100])).toBe(3);
});
