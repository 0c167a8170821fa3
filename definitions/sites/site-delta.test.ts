import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SiteListError } from './list-bytes.ts';
import { applySiteDelta, countChanges, diffSiteLists, siteDeltaInfo } from './site-delta.ts';
import { buildSiteList } from './site-list.ts';

const some = fc.uniqueArray(
  fc.nat(400).map((n) => `n${n}.example.org`),
  { maxLength: 300 },
);
const same = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b);

test('a change leads from any list to any other, byte for byte as if it were made afresh', () => {
  fc.assert(
    fc.property(some, some, (before, after) => {
      const [old, next] = [buildSiteList(before), buildSiteList(after)];
      const delta = diffSiteLists(old, next);
      expect(same(applySiteDelta(old, delta), next)).toBe(true);
      const came = after.filter((name) => !before.includes(name)).length;
      const went = before.filter((name) => !after.includes(name)).length;
      expect(siteDeltaInfo(delta)).toEqual({ before: before.length, after: after.length, came, went });
      expect(countChanges(old, next)).toEqual({ came, went });
    }),
  );
});

test('a change takes 8 bytes for a name that came, and at most two for one that went', () => {
  const all = Array.from({ length: 5000 }, (_, at) => `n${at}.example.org`);
  const delta = diffSiteLists(buildSiteList(all.slice(100)), buildSiteList(all.slice(0, -200)));
  expect(siteDeltaInfo(delta)).toMatchObject({ came: 100, went: 200 });
  expect(delta.length).toBeLessThanOrEqual(48 + 100 * 8 + 200 * 2);
});

test('a change fits the list that it was made for, and no other', () => {
  const [one, two, three] = [['a.example'], ['a.example', 'b.example'], ['c.example']].map(buildSiteList);
  if (!one || !two || !three) throw new Error('three lists were built');
  const delta = diffSiteLists(one, two);
  expect(() => applySiteDelta(two, delta)).toThrow(/belongs to another list/);
  expect(() => applySiteDelta(three, delta)).toThrow(/belongs to another list/);
  expect(() => applySiteDelta(one, one)).toThrow(/not a change/);
});

test('one changed bit, a cut or something behind it, and the change is refused', () => {
  const old = buildSiteList(Array.from({ length: 300 }, (_, at) => `n${at}.example.org`));
  const delta = diffSiteLists(old, buildSiteList(['n3.example.org', 'n299.example.org', 'new.example.org']));
  for (let bit = 0; bit < delta.length * 8; bit++) {
    const changed = delta.slice();
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => applySiteDelta(old, changed), `bit ${bit}`).toThrow(SiteListError);
  }
  for (let length = 0; length < delta.length; length++) expect(() => applySiteDelta(old, delta.slice(0, length))).toThrow(SiteListError);
  expect(() => applySiteDelta(old, new Uint8Array([...delta, 0]))).toThrow(SiteListError);
});
