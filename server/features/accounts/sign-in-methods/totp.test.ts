import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

const secret = Secret.fromUTF8('12345678901234567890').base32;
const at = (seconds: number) => new Date(seconds * 1000);

// RFC 6238, appendix B, for SHA-1. Its codes have eight digits; a code of six is their end.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('the code of RFC 6238 for second %i is right at that time', (seconds, code) => {
  expect(totpStep(secret, code.slice(2), at(seconds))).toBe(Math.floor(seconds / 30));
});

test('a code is right in its own half minute, the one before and the one after, and always names the same time step', () => {
  const [seconds, code, step] = [1111111109, '081804', 37037036];
  expect([-60, -30, 0, 30, 60].map((later) => totpStep(secret, code, at(seconds + later)))).toEqual([null, step, step, step, null]);
});

test.each(['081805', '81804', '0081804', '', '٠٨١٨٠٤', 'abcdef'])('"%s" is no code', (code) => {
  expect(totpStep(secret, code, at(1111111109))).toBeNull();
});

test('secrets are 160 random bits in base32', () => {
  const secrets = Array.from({ length: 50 }, newTotpSecret);
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(50);
});

test('the address for the QR code names the product, the account and the scheme', () => {
  const uri = new URL(totpUri(secret, 'ann+x@example.org'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual(['otpauth:', 'totp', '/Porchlight:ann+x@example.org']);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    ...{ issuer: 'Porchlight', secret, algorithm: 'SHA1', digits: '6', period: '30' },
  });
});
