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
  // A name of one word, and names that only begin like a title.
  ['Mrs', 'Mrs'],
  ['Misty Example', 'Misty'],
  ['Drew Example', 'Drew'],
  ['Sirius Example', 'Sirius'],
])('%j is called %j', (name, called) => {
  expect(firstName(name)).toBe(called);
});
