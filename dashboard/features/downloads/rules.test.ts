import { expect, test } from 'vitest';
import { FormError } from '../../lib/error-text.ts';
import { type FreeDownloadForm, freeDownloadBody } from './rules.ts';

const problemsOf = (form: FreeDownloadForm) => {
  try {
    return freeDownloadBody(form);
  } catch (err) {
    return (err as FormError).fields;
  }
};
const terms = { terms: 'Please agree to the terms of service.' };
const email = { email: 'Please enter a valid email address.' };

test.each(['', 'ann@example.org', 'not an address'])(
  '[3.16] the free download sends no address without consent to updates: %j',
  (typedText) => {
    expect(problemsOf({ email: typedText, terms: true, marketing: false })).toEqual({ email: null });
  },
);

test.each(['ann@example.org', 'a@b.co', 'ann+tag@mail.example.org', 'ann@bücher.example', ' ann@example.org '])(
  '[5.30] with consent to updates the free download sends a well-formed address: %j',
  (typedText) => {
    expect(problemsOf({ email: typedText, terms: true, marketing: true })).toEqual({ email: typedText.trim() });
  },
);

test.each([
  '',
  ' ',
  'ann',
  'ann@',
  '@example.org',
  'ann@example',
  'ann @example.org',
  'ann@exam ple.org',
  'a@b@example.org',
  'ann@.org',
  'ann@org.',
  'ann@a..org',
])('[5.30] with consent to updates the free download refuses a malformed address: %j', (typedText) => {
  expect(problemsOf({ email: typedText, terms: true, marketing: true })).toEqual(email);
});

test('[5.28] [5.29] the free download sends nothing without the terms, and reports both problems', () => {
  expect(problemsOf({ email: 'ann@example.org', terms: false, marketing: true })).toEqual(terms);
  expect(problemsOf({ email: 'x', terms: false, marketing: false })).toEqual(terms);
  expect(problemsOf({ email: 'x', terms: false, marketing: true })).toEqual({ ...terms, ...email });
  expect(() => freeDownloadBody({ email: 'x', terms: false, marketing: true })).toThrow(terms.terms);
});
