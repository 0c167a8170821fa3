import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from './limits.ts';
import { readOrigin, readWebsite, suggestWebsite } from './websites.ts';

const label = (length: number) => 'a'.repeat(length);

test.each([
  ['example.com', 'example.com'],
  [' Example.COM ', 'example.com'],
  ['https://www.example.com/path?q=1#x', 'example.com'],
  ['HTTP://WWW.Example.com', 'example.com'],
  ['example.co.uk:8080/', 'example.co.uk'],
  ['my-bank.example', 'my-bank.example'],
  ['www.google', 'www.google'],
  ['www.www.com', 'www.com'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['example。com', 'example.com'],
  ['example.com.', 'example.com'],
  ['example', null],
  ['www.', null],
  ['.com', null],
  ['example..com', null],
  ['exa mple.com', null],
  ['ftp://example.com', null],
  ['javascript:alert(1)', null],
  ['user@example.com', null],
  ['https://bank.example@evil.example/', null],
  ['192.168.0.1', null],
  ['http://127.0.0.1:23407/', null],
  ['0x7f.1', null],
  ['[::1]', null],
  ['example.123', null],
  ['-example.com', null],
  ['example.com%2f', null],
  ['example.com\\evil.example', null],
])('[5.24] the input %j is read as the website %j', (typedText, website) => {
  expect(readWebsite(typedText)).toBe(website);
});

test.each([
  ['mail.example.com', 'https://mail.example.com'],
  [' HTTPS://Mail.Example.COM/inbox?q=1#x ', 'https://mail.example.com'],
  ['www.example.com', 'https://www.example.com'],
  ['example.com:443', 'https://example.com'],
  ['example.com:8443', 'https://example.com:8443'],
  ['Bücher.example', 'https://xn--bcher-kva.example'],
  ['http://mail.example.com', null],
  ['example.com.', null],
  ['example.com:99999', null],
  ['https://bank.example@evil.example/', null],
  ['*.example.com', null],
  ['[*.]example.com', null],
  ['https://192.168.0.1', null],
  ['localhost', null],
  ['wss://example.com', null],
  ['*', null],
])('[P15.5] the input %j is read as the exact origin %j', (typedText, origin) => {
  expect(readOrigin(typedText)).toBe(origin);
  if (origin !== null) expect(readOrigin(origin)).toBe(origin);
});

test('[5.24] [9.10] a top-level label needs 2 to 63 letters', () => {
  expect([1, 2, 63, 64].map((length) => readWebsite(`a.${label(length)}`) !== null)).toEqual([false, true, true, false]);
});

test('[5.23] [9.10] a website has at most 253 characters', () => {
  const longWebsite = `${'a.'.repeat(125)}com`;
  expect(longWebsite).toHaveLength(limits.domain_search_max);
  expect(readWebsite(longWebsite)).toBe(longWebsite);
  expect(readWebsite(`${'a.'.repeat(125)}info`)).toBeNull();
  const path = (length: number) => 'example.com/'.padEnd(length, 'x');
  expect([253, 254].map((length) => readWebsite(path(length)))).toEqual(['example.com', null]);
});

test.each([
  ['anydesk', 'anydesk.com'],
  ['  my-bank ', 'my-bank.com'],
  ['http://google', 'http://google.com'],
  ['8.8.8.8', '8.8.8.8.com'],
  ['example.com', null],
  ['quick support', null],
  ['a@b', null],
  ['!!!', null],
  ['', null],
  [label(64), null],
])('[5.25] for %j the suggested website is %j', (typedText, suggested) => {
  expect(suggestWebsite(typedText)).toBe(suggested);
});

/** The website examples, outside the repository or where WEBSITE_VECTORS says. */
const vectors = [
  process.env.WEBSITE_VECTORS,
  ...[2, 3].map((up) => new URL(`${'../'.repeat(up)}shared/data/conformance/website-vectors.tsv`, import.meta.url)),
].find((file) => file && existsSync(file));
if (!vectors)
  console.log('skipped: the examples of websites do not lie beside the repository, and WEBSITE_VECTORS does not say where they are');

const rows = vectors
  ? readFileSync(vectors, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map(([input = '""', expected = '', suggestion = '']) => ({ typed: JSON.parse(input) as string, expected, suggestion }))
  : [];

test.skipIf(!vectors)('[5.24] [5.25] the reader accepts every example of a website and rejects every counterexample', () => {
  expect(rows.length).toBeGreaterThanOrEqual(89);
  const unambiguousRows = rows.filter(({ expected }) => expected === 'yes' || expected === 'no');
  expect(unambiguousRows.length).toBeGreaterThanOrEqual(69);
  expect(unambiguousRows.filter(({ typed, expected }) => (readWebsite(typed) !== null) !== (expected === 'yes'))).toEqual([]);
  const suggested = unambiguousRows.filter(({ suggestion }) => suggestion);
  expect(suggested.length).toBeGreaterThanOrEqual(12);
  expect(suggested.filter(({ typed, suggestion }) => (suggestWebsite(typed) ?? 'none') !== suggestion)).toEqual([]);
});

test.skipIf(!vectors)('[5.24] an ambiguous example of a website is either rejected or normalized to one spelling', () => {
  const open = rows.filter(({ expected }) => expected === 'ambiguous').map(({ typed }) => readWebsite(typed));
  expect(open.length).toBeGreaterThanOrEqual(20);
  for (const website of open.filter((one) => one !== null)) {
    expect(website).toMatch(/^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z][a-z0-9-]*$/);
    expect(readWebsite(website)).toBe(website);
  }
});
