import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashHost } from './hash.ts';
import { hashStore } from './hash-store.ts';
import { checksum, listLayout, readHashes, SiteListError, viewOf, writeHashes } from './list-bytes.ts';
import { withParentDomains } from './parent-domains.ts';
import { buildSiteList, readSiteList } from './site-list.ts';

const label = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,6}$/);
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'org', 'xn--p1ai', 'co.uk'))
  .map(([labels, end]) => `${labels.join('.')}.${end}`);
const names = fc.array(name, { maxLength: 60 });

test('a listed site covers its own host and subdomains, and nothing else', () => {
  const list = readSiteList(buildSiteList(['evil.test', 'deep.one.example', 'xn--80ak6aa92e.com']));
  expect(list.size).toBe(3);
  for (const host of ['evil.test', 'www.evil.test', 'a.b.c.evil.test', 'deep.one.example', 'x.deep.one.example', 'xn--80ak6aa92e.com'])
    expect(list.has(host), host).toBe(true);
  for (const host of ['test', 'notevil.test', 'evil.test.org', 'one.example', 'vil.test', 'example', '', '.', '..', '.test', 'evil'])
    expect(list.has(host), host).toBe(false);
  expect(list.find('www.deep.one.example')).toEqual(['deep.one.example']);
});

test('searching a site list returns all listed parent domains of a host, the shortest first', () => {
  const list = readSiteList(buildSiteList(['a.b.example.org', 'example.org']));
  expect(list.find('x.a.b.example.org')).toEqual(['example.org', 'a.b.example.org']);
  expect(list.find('org')).toEqual([]);
});

test('a site list answers exactly like a plain set, for any names', () => {
  fc.assert(
    fc.property(names, names, (listedNames, askedNames) => {
      const [list, set] = [readSiteList(buildSiteList(listedNames)), new Set(listedNames)];
      expect(list.size).toBe(set.size);
      for (const host of [...listedNames, ...askedNames]) {
        const listedParents = withParentDomains(host).filter((one) => set.has(one));
        expect(list.has(host)).toBe(listedParents.length > 0);
        expect(list.find(host)).toEqual(listedParents.toReversed());
      }
    }),
  );
});

test('a site list built from the same names has the same bytes, whatever their order and duplicates', () => {
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.nat()), (listedNames, numbers) => {
      const shuffled = [...listedNames, ...listedNames.slice(0, 3)].toSorted(() => ((numbers.next().value ?? 0) % 2 ? 1 : -1));
      expect(Buffer.from(buildSiteList(shuffled)).equals(buildSiteList(listedNames))).toBe(true);
    }),
  );
});

test('a site list contains all added names, also beyond the initial capacity', () => {
  const manyNames = Array.from({ length: 150_000 }, (_, n) => `n${n}.example`);
  const list = readSiteList(buildSiteList(manyNames));
  expect(list.size).toBe(manyNames.length);
  expect([0, 131_071, 131_072, 149_999].map((n) => list.has(`n${n}.example`))).toEqual([true, true, true, true]);
  expect(list.has('n150000.example')).toBe(false);
});

test('a site list takes 8 bytes a name', () => {
  expect(buildSiteList(Array.from({ length: 1000 }, (_, at) => `n${at}.example.org`)).length).toBe(listLayout.header + 8000);
});

test.each([
  'com',
  '',
  'Upper.example',
  'dot.example.',
  '.example.org',
  'a..b',
  '1.2.3.4',
  'with space.com',
  'bücher.example',
  `${'a.'.repeat(130)}com`,
  `${'a'.repeat(64)}.com`,
])('building a site list with the name %j throws', (wrongName) => {
  expect(() => buildSiteList([wrongName])).toThrow(SiteListError);
});

test('a site list with a changed bit, missing bytes or extra bytes is refused', () => {
  const goodList = buildSiteList(['evil.test', 'bad.example', 'worse.example']);
  for (let bit = 0; bit < goodList.length * 8; bit++) {
    const changedList = goodList.slice();
    changedList[bit >> 3] = (changedList[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => readSiteList(changedList), `bit ${bit}`).toThrow(SiteListError);
  }
  for (let length = 0; length < goodList.length; length++) expect(() => readSiteList(goodList.slice(0, length))).toThrow(SiteListError);
  expect(() => readSiteList(new Uint8Array([...goodList, 0]))).toThrow(/cut or has something behind it/);
});

test.each([
  ['is not sorted', (view: DataView) => [24, 28].forEach((at, n) => view.setUint32(at, [9, 3][n] ?? 0, true)), /not sorted/],
  ['has a name twice', (view: DataView) => [24, 28, 32, 36].forEach((at) => view.setUint32(at, 7, true)), /not sorted/],
  ['has a later format', (view: DataView) => view.setUint32(4, 2, true), /format 2, and only 1/],
  ['says that it holds more than there is', (view: DataView) => view.setUint32(8, 0xffffffff, true), /cut/],
  ['begins otherwise', (view: DataView) => view.setUint32(0, 0, true), /not a site list/],
])('a site list with a right checksum that %s is refused', (_what, change, message) => {
  const bytes = buildSiteList(['a.example', 'b.example']);
  const view = viewOf(bytes);
  change(view);
  const { high, low } = checksum(view, listLayout.header);
  view.setUint32(16, high, true);
  view.setUint32(20, low, true);
  expect(() => readSiteList(bytes)).toThrow(message);
});

test('a site list can be read from a part of a buffer, and does not reference the buffer afterwards', () => {
  const bytes = buildSiteList(['evil.test']);
  const around = new Uint8Array(bytes.length + 7);
  around.set(bytes, 3);
  const list = readSiteList(around.subarray(3, 3 + bytes.length));
  around.fill(0);
  expect(list.has('evil.test')).toBe(true);
});

test('a top-level domain in a site list made by another program blocks nothing', () => {
  const { high, low } = hashHost('com');
  const list = readSiteList(writeHashes(1, (put) => put(high, low)));
  expect([list.size, list.has('com'), list.has('example.com')]).toEqual([1, false, false]);
});

test('a site list can be built from other lists, without some names, and then has the bytes of a list of the remaining names', () => {
  const store = hashStore();
  for (const list of [buildSiteList(['a.com', 'b.com', 'c.com']), buildSiteList(['c.com', 'd.com'])]) store.addHashes(readHashes(list));
  for (const name of ['e.com', 'a.com']) store.add(name);
  expect(Buffer.from(store.list(['b.com', 'x.com'])).equals(buildSiteList(['a.com', 'c.com', 'd.com', 'e.com']))).toBe(true);
  expect(() => readHashes(buildSiteList(['a.com', 'b.com', 'c.com']).subarray(0, 40))).toThrow(SiteListError);
});
