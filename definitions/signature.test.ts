import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newKeyPair, openDocument, signDocument, signText, verifyText } from './signature.ts';

const [ours, theirs] = [newKeyPair(), newKeyPair()];
const schema = z.object({ n: z.number() });

test('what was signed is accepted, with our key and no other', () => {
  const signature = signText('hello', ours);
  expect(verifyText('hello', signature, ours.public_key)).toBe(true);
  expect(verifyText('hello', signature, theirs.public_key)).toBe(false);
  expect(Buffer.from(ours.public_key, 'base64url')).toHaveLength(32);
});

test('one bit that is another, in the text or the signature, and it is refused', () => {
  const text = 'porchlight://link?server=x';
  const bytes = Buffer.from(signText(text, ours), 'base64url');
  fc.assert(
    fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return !verifyText(text, changed.toString('base64url'), ours.public_key);
    }),
  );
  fc.assert(fc.property(fc.string(), (other) => other === text || !verifyText(other, bytes.toString('base64url'), ours.public_key)));
});

test('garbage is refused without an error', () => {
  fc.assert(fc.property(fc.string(), fc.string(), fc.string(), (text, signature, key) => verifyText(text, signature, key) === false));
});

test('a document is opened only when it is signed and as the schema says', () => {
  const document = signDocument({ n: 1 }, ours);
  expect(openDocument(document, ours.public_key, schema)).toEqual({ n: 1 });
  expect(openDocument(document, theirs.public_key, schema)).toBeNull();
  expect(openDocument({ ...document, payload: '{"n":2}' }, ours.public_key, schema)).toBeNull();
  expect(openDocument(signDocument({ n: 'x' }, ours), ours.public_key, schema)).toBeNull();
});
