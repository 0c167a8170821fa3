import fc from 'fast-check';
import { expect, test } from 'vitest';
import { device_code_alphabet, readDeviceCode } from './codes.ts';
import { linkUri, parseLinkUri } from './loopback.ts';

test('every device code is read correctly in any case and with any separators', () => {
  const codeCharacters = fc.constantFrom(...Array.from(device_code_alphabet));
  fc.assert(
    fc.property(fc.array(codeCharacters, { minLength: 8, maxLength: 8 }), fc.constantFrom('', '-', ' ', ' – '), (code, between) => {
      const typedCode = ` ${code.slice(0, 4).join('')}${between}${code.slice(4).join('').toLowerCase()} `;
      expect(readDeviceCode(typedCode)).toBe(`${code.slice(0, 4).join('')}-${code.slice(4).join('')}`);
    }),
  );
});

test('parsing a written link returns the same values', () => {
  const nonEmptyText = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(nonEmptyText, nonEmptyText, nonEmptyText, fc.nat(), (server, code, nonce, exp) => {
      expect(parseLinkUri(linkUri({ server, code, nonce, exp }))).toEqual({ server, code, nonce, exp });
    }),
  );
});

test.each([
  '',
  'https://link?server=a&code=b&exp=1&nonce=d',
  'porchlight://other?server=a&code=b&exp=1&nonce=d',
  'porchlight://link?server=a&code=b&exp=1',
  'porchlight://link?server=a&code=b&exp=1&nonce=d&nonce=e',
  'porchlight://link?server=a&code=b&exp=1&nonce=d&more=e',
  'porchlight://link?server=a&code=b&exp=x&nonce=d',
  'porchlight://link?server=&code=b&exp=1&nonce=d',
  'porchlight://link?server=%E0%A4%A&code=b&exp=1&nonce=d',
])('the parser rejects the link %s', (uri) => {
  expect(parseLinkUri(uri)).toBeNull();
});
