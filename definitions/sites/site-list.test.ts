import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashHost } from './hash.ts';
import { checksum, listLayout, SiteListError, viewOf, writeHashes } from './list-bytes.ts';
import { withNamesAbove } from './names-above.ts';
import { buildSiteList, readSiteList } from './site-list.ts';

const label = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,6}$/);
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'org', 'xn--p1ai', 'co.uk'))
  .map(([labels, end]) => `${labels.join('.')}.${end}`);
const names = fc.array(name, { maxLength: 60 });

test('a name in the list stands for itself and everything below it, and for nothing else', () => {
  const list = readSiteList(buildSiteList(['evil.test', 'deep.one.example', 'xn--80ak6aa92e.com']));
  expect(list.size).toBe(3);
  for (const host of ['evil.test', 'www.evil.test', 'a.b.c.evil.test', 'deep.one.example', 'x.deep.one.example', 'xn--80ak6aa92e.com'])
    expect(list.has(host), host).toBe(true);
  for (const host of ['test', 'notevil.test', 'evil.test.org', 'one.example', 'vil.test', 'example', '', '.', '..', '.test', 'evil'])
    expect(list.has(host), host).toBe(false);
  expect(list.find('www.deep.one.example')).toEqual(['deep.one.example']);
});

test('all names above a host that are listed are told, the shortest first', () => {
  const list = readSiteList(buildSiteList(['a.b.example.org', 'example.org']));
  expect(list.find('x.a.b.example.org')).toEqual(['example.org', 'a.b.example.org']);
  expect(list.find('org')).toEqual([]);
});

test('whatever is listed, the list knows just what a plain set knows', () => {
  fc.assert(
    fc.property(names, names, (listed, asked) => {
      const [list, set] = [readSiteList(buildSiteList(listed)), new Set(listed)];
      expect(list.size).toBe(set.size);
      for (const host of [...listed, ...asked]) {
        const above = withNamesAbove(host).filter((one) => set.has(one));
        expect(list.has(host)).toBe(above.length > 0);
        expect(list.find(host)).toEqual(above.toReversed());
      }
    }),
  );
});

test('the same names give the same bytes, in whatever order and however often they come', () => {
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.nat()), (listed, numbers) => {
      const shuffled = [...listed, ...listed.slice(0, 3)].toSorted(() => ((numbers.next().value ?? 0) % 2 ? 1 : -1));
      expect(Buffer.from(buildSiteList(shuffled)).equals(buildSiteList(listed))).toBe(true);
    }),
  );
});

test('a list holds as many names as were added, also where that is more than was set aside at first', () => {
  const many = Array.from({ length: 150_000 }, (_, n) => `n${n}.example`);
  const list = readSiteList(buildSiteList(many));
  expect(list.size).toBe(many.length);
  expect([0, 131_071, 131_072, 149_999].map((n) => list.has(`n${n}.example`))).toEqual([true, true, true, true]);
  expect(list.has('n150000.example')).toBe(false);
});

test('a list takes 8 bytes a name', () => {
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
])('%j cannot stand in a list', (wrong) => {
  expect(() => buildSiteList([wrong])).toThrow(SiteListError);
});

test('one changed bit, a cut or something behind it, and the list is refused', () => {
  const good = buildSiteList(['evil.test', 'bad.example', 'worse.example']);
  for (let bit = 0; bit < good.length * 8; bit++) {
    const changed = good.slice();
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => readSiteList(changed), `bit ${bit}`).toThrow(SiteListError);
  }
  for (let length = 0; length < good.length; length++) expect(() => readSiteList(good.slice(0, length))).toThrow(SiteListError);
  expect(() => readSiteList(new Uint8Array([...good, 0]))).toThrow(/cut or has something behind it/);
});

test.each([
  ['is not sorted', (view: DataView) => [24, 28].forEach((at, n) => view.setUint32(at, [9, 3][n] ?? 0, true)), /not sorted/],
  ['has a name twice', (view: DataView) => [24, 28, 32, 36].forEach((at) => view.setUint32(at, 7, true)), /not sorted/],
  ['has a later format', (view: DataView) => view.setUint32(4, 2, true), /format 2, and only 1/],
  ['says that it holds more than there is', (view: DataView) => view.setUint32(8, 0xffffffff, true), /cut/],
  ['begins otherwise', (view: DataView) => view.setUint32(0, 0, true), /not a site list/],
])('a list with a right checksum that %s is refused', (_what, change, message) => {
  const bytes = buildSiteList(['a.example', 'b.example']);
  const view = viewOf(bytes);
  change(view);
  const { high, low } = checksum(view, listLayout.header);
  view.setUint32(16, high, true);
  view.setUint32(20, low, true);
  expect(() => readSiteList(bytes)).toThrow(message);
});

test('a list can be read from the middle of other bytes, and does not keep them', () => {
  const bytes = buildSiteList(['evil.test']);
  const around = new Uint8Array(bytes.length + 7);
  around.set(bytes, 3);
  const list = readSiteList(around.subarray(3, 3 + bytes.length));
  around.fill(0);
  expect(list.has('evil.test')).toBe(true);
});

test('a list that was made otherwise and holds a whole country or kind of site does not stop it', () => {
  const { high, low } = hashHost('com');
  const list = readSiteList(writeHashes(1, (put) => put(high, low)));
  expect([list.size, list.has('com'), list.has('example.com')]).toEqual([1, false, false]);
});
