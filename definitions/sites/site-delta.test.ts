import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SiteListError } from './list-bytes.ts';
import { applySiteDelta, countChanges, diffSiteLists, siteDeltaInfo } from './site-delta.ts';
import { buildSiteList } from './site-list.ts';

const someNames = fc.uniqueArray(
  fc.nat(400).map((n) => `n${n}.example.org`),
  { maxLength: 300 },
);
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b);

test('applying a delta between any two site lists gives exactly the bytes of a fresh build', () => {
  fc.assert(
    fc.property(someNames, someNames, (namesBefore, namesAfter) => {
      const [oldList, newList] = [buildSiteList(namesBefore), buildSiteList(namesAfter)];
      const delta = diffSiteLists(oldList, newList);
      expect(isSame(applySiteDelta(oldList, delta), newList)).toBe(true);
      const addedCount = namesAfter.filter((name) => !namesBefore.includes(name)).length;
      const removedCount = namesBefore.filter((name) => !namesAfter.includes(name)).length;
      expect(siteDeltaInfo(delta)).toEqual({ before: namesBefore.length, after: namesAfter.length, came: addedCount, went: removedCount });
      expect(countChanges(oldList, newList)).toEqual({ came: addedCount, went: removedCount });
    }),
  );
});

test('a delta of site lists takes 8 bytes for each added name and at most two for each removed name', () => {
  const allNames = Array.from({ length: 5000 }, (_, at) => `n${at}.example.org`);
  const delta = diffSiteLists(buildSiteList(allNames.slice(100)), buildSiteList(allNames.slice(0, -200)));
  expect(siteDeltaInfo(delta)).toMatchObject({ came: 100, went: 200 });
  expect(delta.length).toBeLessThanOrEqual(48 + 100 * 8 + 200 * 2);
});

test('a delta of site lists applies only to the list that it was made for', () => {
  const [firstList, secondList, otherList] = [['a.example'], ['a.example', 'b.example'], ['c.example']].map(buildSiteList);
  if (!firstList || !secondList || !otherList) throw new Error('three lists were built');
  const delta = diffSiteLists(firstList, secondList);
  expect(() => applySiteDelta(secondList, delta)).toThrow(/belongs to another list/);
  expect(() => applySiteDelta(otherList, delta)).toThrow(/belongs to another list/);
  expect(() => applySiteDelta(firstList, firstList)).toThrow(/not a change/);
});

test('a delta of site lists with a changed bit, missing bytes or extra bytes is refused', () => {
  const oldList = buildSiteList(Array.from({ length: 300 }, (_, at) => `n${at}.example.org`));
  const delta = diffSiteLists(oldList, buildSiteList(['n3.example.org', 'n299.example.org', 'new.example.org']));
  for (let bit = 0; bit < delta.length * 8; bit++) {
    const changedDelta = delta.slice();
    changedDelta[bit >> 3] = (changedDelta[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => applySiteDelta(oldList, changedDelta), `bit ${bit}`).toThrow(SiteListError);
  }
  for (let length = 0; length < delta.length; length++)
    expect(() => applySiteDelta(oldList, delta.slice(0, length))).toThrow(SiteListError);
  expect(() => applySiteDelta(oldList, new Uint8Array([...delta, 0]))).toThrow(SiteListError);
});
