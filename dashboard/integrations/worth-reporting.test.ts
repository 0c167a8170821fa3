import { expect, test } from 'vitest';
import { HttpError } from '../lib/http.ts';
import { isWorthReporting } from './worth-reporting.ts';

const origin = 'https://www.example.org';
const ours = [`${origin}/dashboard/assets/index.js`];

test.each([
  ['a mistake of ours', new TypeError('x'), ours, true],
  ['a refusal, 400', new HttpError(400), ours, false],
  ['a refusal, 499', new HttpError(499), ours, false],
  ['a broken server, 500', new HttpError(500), ours, true],
  ['an odd answer, 399', new HttpError(399), ours, true],
  ['a call without an answer', new HttpError(null), ours, false],
  ['a call that was given up', new DOMException('x', 'AbortError'), ours, false],
  ['something of someone else', new Error('x'), ['https://other.example/x.js'], false],
  ['something of a host that begins like ours', new Error('x'), [`${origin}.other.example/x.js`], false],
  ['something from nowhere', new Error('x'), [], false],
  ['ours called by someone else', new Error('x'), ['https://other.example/x.js', ...ours], true],
])('[8.21] %s', (_what, error, files, worth) => {
  expect(isWorthReporting(error, files, origin)).toBe(worth);
});
