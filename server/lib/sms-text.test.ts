import { expect, test } from 'vitest';
import { fitsOneText, gsmLength } from './sms-text.ts';

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
  expect(fitsOneText('a'.repeat(160))).toBe(true);
  expect(fitsOneText('a'.repeat(161))).toBe(false);
  expect(fitsOneText(`${'a'.repeat(158)}€`)).toBe(true);
  expect(fitsOneText(`${'a'.repeat(159)}€`)).toBe(false);
  expect(fitsOneText('')).toBe(false);
  expect(fitsOneText('🙂')).toBe(false);
});
