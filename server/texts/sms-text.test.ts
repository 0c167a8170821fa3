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
])('the text %j takes %s of the 160 characters of an SMS', (text, length) => {
  expect(gsmLength(text)).toBe(length);
});

test('160 characters fit into one SMS, 161 do not, and an empty text is not an SMS', () => {
  expect(fitsOneSms('a'.repeat(160))).toBe(true);
  expect(fitsOneSms('a'.repeat(161))).toBe(false);
  expect(fitsOneSms(`${'a'.repeat(158)}€`)).toBe(true);
  expect(fitsOneSms(`${'a'.repeat(159)}€`)).toBe(false);
  expect(fitsOneSms('')).toBe(false);
  expect(fitsOneSms('🙂')).toBe(false);
});
