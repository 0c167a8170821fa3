import { expect, test } from 'vitest';
import { catalogueBytes } from './feed-make.ts';
import { compileRecognition } from './match.ts';
import { readRecognition } from './recognition.ts';
import { shippedRecognition } from './shipped.ts';
import { shippedCatalogue } from './testing/shipped-catalogue.ts';

const shipped = shippedRecognition(shippedCatalogue());
const smaller = { ...shipped, money: shipped.money.slice(1) };

test('the same recognition is packed once, and another one for itself', () => {
  expect(catalogueBytes(shipped)).toBe(catalogueBytes(shipped));
  expect(readRecognition(catalogueBytes(smaller)).money).toEqual(smaller.money);
  expect(readRecognition(catalogueBytes(shipped)).money).toEqual(shipped.money);
});

test('a part that was just read is not read again, and damaged bytes take nothing from it', () => {
  const bytes = catalogueBytes(shipped);
  const part = readRecognition(bytes);
  expect(() => readRecognition(bytes.subarray(1))).toThrow();
  expect(readRecognition(Buffer.from(bytes))).toBe(part);
  expect(readRecognition(catalogueBytes(smaller))).not.toBe(part);
});

test('a set that was signed again has the indexes of the former one and its own version, and one with other content has its own indexes', () => {
  const issued = '2026-01-01T00:00:00.000Z';
  const former = compileRecognition({ ...shipped, version: 1, issued });
  const again = compileRecognition({ ...shipped, version: 2, issued });
  expect(again.marks).toBe(former.marks);
  expect([former.version, again.version]).toEqual([1, 2]);
  const [sites, commands, tunnels] = [
    compileRecognition({ ...smaller, version: 3, issued }).sites,
    compileRecognition({ ...shipped, commands: { ...shipped.commands, patterns: [] }, version: 4, issued }).commands,
    compileRecognition({ ...shipped, tunnels: { ...shipped.tunnels, programs: {} }, version: 5, issued }).tunnels,
  ];
  expect(sites).not.toBe(former.sites);
  expect(commands.patterns.windows).toEqual([]);
  expect(tunnels.programs).toEqual({});
});
