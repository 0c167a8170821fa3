import { expect, test } from 'vitest';
import { firstName } from './names.ts';

test.each([
  ['Ann Example', 'Ann'],
  ['  Ann   Mary Example ', 'Ann'],
  ['Ann', 'Ann'],
  ['', ''],
  ['Mrs Example', 'Mrs Example'],
  ['Mrs. Ann Example', 'Mrs. Example'],
  ['DR Bob Example', 'DR Example'],
  ['Mrs', 'Mrs'],
  ['Misty Example', 'Misty'],
  ['Drew Example', 'Drew'],
  ['Sirius Example', 'Sirius'],
])('the first name in %j is %j', (name, firstNameExpected) => {
  expect(firstName(name)).toBe(firstNameExpected);
});
