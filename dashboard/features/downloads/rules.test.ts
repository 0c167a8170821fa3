import { expect, test } from 'vitest';
import { FormError } from '../../lib/error-text.ts';
import { type FreeDownloadForm, freeDownloadBody, installerFor, lacks, shownTo } from './rules.ts';

const problems = (form: FreeDownloadForm) => {
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
  (typed) => {
    expect(problems({ email: typed, terms: true, marketing: false })).toEqual({ email: null });
  },
);

test.each(['ann@example.org', 'a@b.co', 'ann+tag@mail.example.org', 'ann@bücher.example', ' ann@example.org '])(
  '[5.30] with a yes an address that looks like one is sent: %j',
  (typed) => {
    expect(problems({ email: typed, terms: true, marketing: true })).toEqual({ email: typed.trim() });
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
])('[5.30] with a yes one that does not is refused: %j', (typed) => {
  expect(problems({ email: typed, terms: true, marketing: true })).toEqual(email);
});

test('[5.28] [5.29] the free download sends nothing without the terms, and reports both problems', () => {
  expect(problems({ email: 'ann@example.org', terms: false, marketing: true })).toEqual(terms);
  expect(problems({ email: 'x', terms: false, marketing: false })).toEqual(terms);
  expect(problems({ email: 'x', terms: false, marketing: true })).toEqual({ ...terms, ...email });
  expect(() => freeDownloadBody({ email: 'x', terms: false, marketing: true })).toThrow(terms.terms);
});

test.each([
  ['Windows', 'Windows 11', 'windows'],
  ['macOS', 'macOS 15', 'macos'],
  ['unknown', 'Linux', 'linux'],
  ['unknown', 'Android', null],
] as const)('a computer of the kind %s, described as %s, is offered the installer %s', (kind, description, installer) => {
  expect(installerFor({ kind, description, supported: true })).toBe(installer);
});

test('the installer of this computer comes first, and the package for Linux is shown on Linux alone', () => {
  expect(shownTo(null)).toEqual(['windows', 'macos']);
  expect(shownTo('windows')).toEqual(['windows', 'macos']);
  expect(shownTo('macos')).toEqual(['macos', 'windows']);
  expect(shownTo('linux')).toEqual(['linux', 'windows', 'macos']);
});

test('an installer is missing where this computer has a kind of its own that the server does not offer, other than Linux', () => {
  expect(lacks(['windows'], 'macos')).toBe(true);
  expect(lacks(['windows'], 'windows')).toBe(false);
  expect(lacks([], null)).toBe(false);
  expect(lacks([], 'linux')).toBe(false);
});
