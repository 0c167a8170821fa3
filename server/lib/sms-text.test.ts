import { expect, test } from 'vitest';
import { fitsOneSms, gsmLength } from './sms-text.ts';

test.each([
  ['', 0],
  ['Porchlight: your code is 123456.', 32],
  ['@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà', 42],
  ['\n\r "', 4],
  ['€', 2],
  ['^{}\\[~]|\f', 18],
  ['ç', null],
  ['`', null],
  ['“quoted”', null],
  ['a–b', null],
  ['🙂', null],
])('%j takes %s of 160', (text, length) => {
  expect(gsmLength(text)).toBe(length);
});

test('160 fit into one text, 161 do not, and nothing is no text', () => {
  expect(fitsOneSms('a'.repeat(160))).toBe(true);
  expect(fitsOneSms('a'.repeat(161))).toBe(false);
  expect(fitsOneSms(`${'a'.repeat(158)}€`)).toBe(true);
  expect(fitsOneSms(`${'a'.repeat(159)}€`)).toBe(false);
  expect(fitsOneSms('')).toBe(false);
  expect(fitsOneSms('🙂')).toBe(false);
});
