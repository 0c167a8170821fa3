import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { defaultLists } from './default-lists.ts';
import { readFirstList } from './first-list.ts';
import { readInstitutions } from './money/institutions.ts';
import { shippedNeverBlock } from './shipped.ts';
import { canonicalHost } from './sites/host.ts';
import { findListed } from './sites/rules.ts';
import { readSiteList } from './sites/site-list.ts';
import { benignDomains, falsePositives, readSharedBytes, sharedDataIsThere } from './testing/shared-data.ts';

const { bytes, as_of, sources } = readFirstList();
const list = readSiteList(bytes);
const isBlocked = (text: string) => {
  const read = canonicalHost(text);
  return 'host' in read && read.kind === 'name' && findListed(read.host, list, shippedNeverBlock) !== null;
};

test('[P12.1] the first list names each source with an address, a licence that allows passing it on, and its author where the licence asks', () => {
  expect(list.size).toBeGreaterThan(300_000);
  expect(as_of.getTime()).toBeGreaterThan(Date.parse('2026-01-01'));
  expect(sources.length).toBeGreaterThanOrEqual(8);
  for (const { name, home, licence, copyright } of sources) {
    expect(home, name).toMatch(/^https:\/\//);
    expect(['MIT', 'Unlicense', 'BSD-3-Clause', 'Apache-2.0'], name).toContain(licence);
    if (licence !== 'Unlicense') expect(copyright, name).toBeTruthy();
  }
});

test('[P12.1] each default list has a licence and a purpose, and keep lists are among them', () => {
  expect(new Set(defaultLists.map(({ url }) => url)).size).toBe(defaultLists.length);
  for (const { url, name, licence, purpose } of defaultLists) {
    expect(url, name).toMatch(/^https:\/\/[^\s,|]+$/);
    expect([licence, purpose].every(Boolean), name).toBe(true);
  }
  expect(defaultLists.filter(({ format }) => format === 'keep').length).toBeGreaterThanOrEqual(2);
  expect(defaultLists.filter(({ format }) => format !== 'keep').length).toBeGreaterThanOrEqual(5);
});

test.skipIf(!sharedDataIsThere)('[P12.1] the first list blocks what public lists contain (skipped when the lists are missing)', () => {
  const names = gunzipSync(readSharedBytes('scam-domains-public.txt.gz')).toString('utf8').trim().split('\n');
  const sample = names.filter((_, at) => at % 173 === 7).slice(0, 2000);
  expect(sample).toHaveLength(2000);
  expect(sample.filter(isBlocked).length / sample.length).toBeGreaterThan(0.99);
});

test.skipIf(!sharedDataIsThere)(
  '[P12.1] the first list blocks none of the most visited sites, nor known mistakes of public lists (skipped when they are missing)',
  () => {
    const hosts = [...benignDomains(), ...falsePositives()];
    expect(hosts.length).toBeGreaterThan(10_000);
    expect(hosts.filter(isBlocked)).toEqual([]);
  },
);

test('[P12.1] [P12.6] the first list blocks no site of a known bank, exchange or payment service, although public lists contain some', () => {
  const hosts = readInstitutions().institutions.flatMap(({ domains }) => domains);
  expect(hosts.length).toBeGreaterThan(1_000);
  expect(hosts.flatMap((host) => list.find(host)).length).toBeGreaterThan(0);
  expect(hosts.filter(isBlocked)).toEqual([]);
});

test('the page for operators names each default list and each source of the first list, with licence and purpose', () => {
  const page = readFileSync(new URL('../docs/site-lists.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ['));
  expect(rows).toEqual([
    ...defaultLists.map(({ name, url, licence, purpose }) => `| [${name}](${url}) | ${licence} | ${purpose} |`),
    ...sources.map((source) => {
      const licence = [source.licence, source.copyright].filter(Boolean).join(', ');
      return `| [${source.name}](${source.home}) (${source.file}) | ${licence} | ${source.as_of} |`;
    }),
  ]);
});
