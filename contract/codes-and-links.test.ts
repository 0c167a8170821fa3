import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDeviceCode } from './codes.ts';
import { linkUri, parseLinkUri } from './loopback.ts';
import { serverLimits } from './server-limits.ts';

test('every code reads as itself, however it is typed', () => {
  const letters = fc.constantFrom(...Array.from(serverLimits.device_code_alphabet));
  fc.assert(
    fc.property(fc.array(letters, { minLength: 8, maxLength: 8 }), fc.constantFrom('', '-', ' ', ' – '), (code, between) => {
      const typed = ` ${code.slice(0, 4).join('')}${between}${code.slice(4).join('').toLowerCase()} `;
      expect(readDeviceCode(typed)).toBe(`${code.slice(0, 4).join('')}-${code.slice(4).join('')}`);
    }),
  );
});

test('a link that was written is read again', () => {
  const part = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(part, part, part, fc.nat(), (server, code, nonce, exp) => {
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
])('this is no link of ours: %s', (uri) => {
  expect(parseLinkUri(uri)).toBeNull();
});
