import { expect, test } from 'vitest';
import { HttpError } from '../lib/http.ts';
import { isWorthReporting } from './worth-reporting.ts';

const origin = 'https://www.example.org';
const ownFiles = [`${origin}/dashboard/assets/index.js`];

test.each([
  ['a mistake of ours', new TypeError('x'), ownFiles, true],
  ['a refusal, 400', new HttpError(400), ownFiles, false],
  ['a refusal, 499', new HttpError(499), ownFiles, false],
  ['a broken server, 500', new HttpError(500), ownFiles, true],
  ['an odd answer, 399', new HttpError(399), ownFiles, true],
  ['a call without an answer', new HttpError(null), ownFiles, false],
  ['a call that was given up', new DOMException('x', 'AbortError'), ownFiles, false],
  ['something of someone else', new Error('x'), ['https://other.example/x.js'], false],
  ['something of a host that begins like ours', new Error('x'), [`${origin}.other.example/x.js`], false],
  ['something from nowhere', new Error('x'), [], false],
  ['ours called by someone else', new Error('x'), ['https://other.example/x.js', ...ownFiles], true],
])('[8.21] whether an error is reported as a bug of ours: %s', (_what, error, files, worth) => {
  expect(isWorthReporting(error, files, origin)).toBe(worth);
});
