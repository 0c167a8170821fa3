import { expect, test } from 'vitest';
import { sameSecret } from './same-secret.ts';

test.each([
  ['abc', 'abc', true],
  ['', '', true],
  ['abc', 'abd', false],
  ['abc', 'abcd', false],
  [null, null, false],
  [undefined, undefined, false],
  ['', null, false],
  [undefined, 'abc', false],
] as const)('A12: %j and %j are the same secret: %j', (firstSecret, secondSecret, expectedSame) => {
  expect(sameSecret(firstSecret, secondSecret)).toBe(expectedSame);
});
