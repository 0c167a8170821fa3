import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { defaultLists } from './default-lists.ts';
import { firstListInForce, readFirstList, sourcesInFirst } from './first-list.ts';
import { readInstitutions } from './money/institutions.ts';
import { shippedNeverBlock } from './shipped.ts';
import { canonicalHost } from './sites/host.ts';
import { writeHashes } from './sites/list-bytes.ts';
import { findListed } from './sites/rules.ts';
import { readSiteList } from './sites/site-list.ts';
import { benignDomains, falsePositives, readSharedBytes, sharedDataIsThere } from './testing/shared-data.ts';

const first = readFirstList();
const { bytes, marks, as_of, sources } = first;
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

test('[P16.4] almost every name of the first list has its sources, and each source has the default lists that take its place', () => {
  expect(marks).toHaveLength(list.size);
  expect(marks.filter((mark) => mark === 0).length / marks.length).toBeLessThan(0.02);
  const urls = defaultLists.filter(({ format }) => format !== 'keep').map(({ url }) => url);
  expect(sources.flatMap(({ lists }) => lists).sort()).toEqual(urls.sort());
  for (const { name, lists } of sources) expect(lists.length, name).toBeGreaterThan(0);
});

/** Sites of companies and a school that public reports named as listed by mistake, with the source that had them. */
const mistakes = {
  'programmational.ca': 'The Block List Project',
  '12a.ee': 'The Block List Project',
  'balticsteelarc.ee': 'The Block List Project',
  'arakmadu.com.ar': 'The Block List Project',
  'kingcampoutdoors.co.jp': 'Scam Blocklist by DurableNapkin',
  'backscatterer.org': "infinitytec's block lists",
};

test('[P16.4] the first list forgets innocent sites of a source once it is fetched, and has what other sources had as before', () => {
  const newer = new Date(as_of.getTime() + 86_400_000);
  const inForce = (fetched: string[]) => {
    const lists = sources.flatMap(({ name, lists }) => (fetched.includes(name) ? lists : []));
    const { high, low } = firstListInForce(first, new Map(lists.map((url) => [url, newer])), newer);
    return readSiteList(writeHashes(high.length, (put) => high.forEach((half, at) => put(half, low[at] ?? 0))));
  };
  for (const [name, source] of Object.entries(mistakes)) expect(sourcesInFirst(name, first)).toEqual({ name, sources: [source] });
  expect(Object.keys(mistakes).filter(inForce([]).has)).toEqual(Object.keys(mistakes));
  // ShadowWhisperer has this one too.
  const onTwo = '0-google.com';
  expect(inForce(['The Block List Project']).find(`www.${onTwo}`)).toEqual([onTwo]);
  expect([onTwo, ...Object.keys(mistakes)].filter(inForce(['The Block List Project']).has)).toEqual([
    ...[onTwo, 'kingcampoutdoors.co.jp', 'backscatterer.org'],
  ]);
  expect([onTwo, ...Object.keys(mistakes)].filter(inForce(Object.values(mistakes)).has)).toEqual([onTwo]);
  expect(inForce(sources.map(({ name }) => name)).size).toBe(0);
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
