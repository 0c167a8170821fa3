import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { catalogueBytes } from '../feed-make.ts';
import { refusalOf } from '../feed-offer.ts';
import { type Recognition, readRecognition } from '../recognition.ts';
import { shippedRecognition } from '../shipped.ts';
import { type ImitatedBrand, type NameTables, noNames } from './format.ts';

const shipped = shippedRecognition();
const withNames = (names: Partial<NameTables>): Recognition => ({ ...shipped, names: { ...shipped.names, ...names } });
const offer = (recognition: Recognition) => ({ recognition, sites: null });
const refused = (offered: Recognition, accepted = false) => refusalOf(offer(shipped), offer(offered), accepted);
const brand = (fields: Partial<ImitatedBrand>): ImitatedBrand => ({
  ...{ name: 'Quillmore', words: ['quillmore'], discussed: [], ordinary: [], domains: ['quillmore.example'] },
  ...fields,
});
const { brands } = shipped.names;
const written = (change: (part: Record<string, unknown>) => object) =>
  gzipSync(JSON.stringify(change(JSON.parse(gunzipSync(catalogueBytes(shippedRecognition([]))).toString('utf8')))));

test('[P16.2] a set with the names goes to agents and back unchanged, and a former set without them is read as knowing none', () => {
  expect(readRecognition(catalogueBytes(shippedRecognition([]))).names).toEqual(shipped.names);
  const former = readRecognition(written(({ names: _names, ...part }) => part));
  expect(former.names).toEqual(noNames);
  expect(former.money).toEqual(shipped.money);
});

test('[P16.2] of a newer format a brand that cannot be read is left out, and the others count', () => {
  const newer = written((part) => ({ ...part, format: 2, names: { ...noNames, brands: [brand({}), { name: 'A planet', orbit: 3 }] } }));
  expect(readRecognition(newer).names.brands).toEqual([brand({})]);
});

test.each<[string, RegExp, Recognition, Recognition]>([
  [
    'takes a site that people need for a trick',
    /would take .* for a trick/,
    withNames({
      brands: brands.filter(({ name }) => name !== 'PayPal').concat(brand({ name: 'PayPal', words: ['paypal', 'doubleclick'] })),
    }),
    withNames({ brands: [...brands, brand({})] }),
  ],
  [
    'has an address in the place of a host',
    /The site https:\/\/quillmore\.example is not a plain/,
    withNames({ brands: [...brands, brand({ domains: ['https://quillmore.example'] })] }),
    withNames({ brands: [...brands, brand({ domains: ['login.quillmore.example'] })] }),
  ],
])('[P16.2] a set that %s is refused, and the smallest innocent one is taken', (_what, expected, bad, innocent) => {
  expect(refused(bad, true)).toMatch(expected);
  expect(refused(innocent)).toBeNull();
});

test('[P16.2] a set that lost more than a tenth of the brands is refused until somebody accepts it', () => {
  const unneeded = brands.filter(({ name }) => name !== 'USPS');
  const lost = withNames({ brands: unneeded.slice(0, Math.floor(brands.length * 0.85)) });
  expect(refused(lost)).toMatch(/has lost \d+ of \d+ imitated brands/);
  expect(refused(withNames({ brands: unneeded }))).toBeNull();
});
