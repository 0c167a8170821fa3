import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newKeyPair, openDocument, signDocument, signText, verifyText } from './signature.ts';

const [ownKeys, otherKeys] = [newKeyPair(), newKeyPair()];
const schema = z.object({ n: z.number() });

test('a signature is valid for our key and for no other', () => {
  const signature = signText('hello', ownKeys);
  expect(verifyText('hello', signature, ownKeys.public_key)).toBe(true);
  expect(verifyText('hello', signature, otherKeys.public_key)).toBe(false);
  expect(Buffer.from(ownKeys.public_key, 'base64url')).toHaveLength(32);
});

test('changing one bit of the text or the signature makes the signature invalid', () => {
  const text = 'porchlight://link?server=x';
  const bytes = Buffer.from(signText(text, ownKeys), 'base64url');
  fc.assert(
    fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
      const changedBytes = Buffer.from(bytes);
      changedBytes[bit >> 3] = (changedBytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return !verifyText(text, changedBytes.toString('base64url'), ownKeys.public_key);
    }),
  );
  fc.assert(fc.property(fc.string(), (other) => other === text || !verifyText(other, bytes.toString('base64url'), ownKeys.public_key)));
});

test('verifying garbage returns false without an error', () => {
  fc.assert(fc.property(fc.string(), fc.string(), fc.string(), (text, signature, key) => verifyText(text, signature, key) === false));
});

test('a signed document opens only if its signature and its schema are valid', () => {
  const document = signDocument({ n: 1 }, ownKeys);
  expect(openDocument(document, ownKeys.public_key, schema)).toEqual({ n: 1 });
  expect(openDocument(document, otherKeys.public_key, schema)).toBeNull();
  expect(openDocument({ ...document, payload: '{"n":2}' }, ownKeys.public_key, schema)).toBeNull();
  expect(openDocument(signDocument({ n: 'x' }, ownKeys), ownKeys.public_key, schema)).toBeNull();
});
