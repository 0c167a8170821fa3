import { expect, test } from 'vitest';
import { lapseOf } from './lapse.ts';

const by = (answer: 'yes' | 'no') => ({ by: 'Bob', you: false, time: '2026-11-21T12:57:00.000Z', answer });

test.each([
  ['nobody answered', [], null, 'unanswered'],
  ['what Bob let through was not done in time', [by('yes')], null, 'unused'],
  ['what support let through was not done in time', [], '2026-11-21T12:57:00.000Z', 'unused'],
  ['the time of a no is over', [by('no')], null, 'refused'],
  ['the time of a no after a yes is over', [by('yes'), by('no')], null, 'refused'],
] as const)('a lapsed request changed nothing because %s', (_why, answers, lifted, lapse) => {
  expect(lapseOf({ answers: [...answers], lifted })).toBe(lapse);
});
