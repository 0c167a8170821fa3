import { expect, test } from 'vitest';
import { anyOf, counted, listOf } from './language.ts';

test.each([
  [0, '0 devices'],
  [1, '1 device'],
  [2, '2 devices'],
  [1_200, '1,200 devices'],
])('%i of a thing is counted as %s', (n, text) => {
  expect(counted(n, 'device')).toBe(text);
});

test('a plural can have its own form', () => {
  expect([counted(1, 'try', 'tries'), counted(3, 'try', 'tries')]).toEqual(['1 try', '3 tries']);
});

test.each([
  [['Bob'], 'Bob', 'Bob'],
  [['Bob', 'Carol'], 'Bob and Carol', 'Bob or Carol'],
  [['Bob', 'Carol', 'Dan'], 'Bob, Carol, and Dan', 'Bob, Carol, or Dan'],
])('the names %j are listed as all and as any of them', (names, all, any) => {
  expect([listOf(names), anyOf(names)]).toEqual([all, any]);
});
