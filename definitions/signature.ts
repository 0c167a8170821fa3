import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import type { z } from 'zod';

/** An Ed25519 pair, each half 32 raw bytes as base64url: `x` and `d` of a JWK. */
export interface KeyPair {
  public_key: string;
  private_key: string;
}

const curve = { kty: 'OKP', crv: 'Ed25519' };

export function newKeyPair(): KeyPair {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  if (x === undefined || d === undefined) throw new Error('The Ed25519 pair came without its raw bytes.');
  return { public_key: x, private_key: d };
}

/** Ed25519 over the UTF-8 bytes of the text, as base64url. */
export function signText(text: string, keyPair: KeyPair): string {
  const key = createPrivateKey({ key: { ...curve, x: keyPair.public_key, d: keyPair.private_key }, format: 'jwk' });
  return sign(null, Buffer.from(text, 'utf8'), key).toString('base64url');
}

/** Only the one spelling of these bytes: base64url has spare bits at its end, and a changed signature must not pass for the same. */
function bytesOf(encoded: string, length: number): Buffer | null {
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === encoded ? bytes : null;
}

/** True only for exactly this text under exactly this key. False, never an error, for anything that is not a signature or a key. */
export function verifyText(text: string, signature: string, public_key: string): boolean {
  try {
    const bytes = bytesOf(signature, 64);
    // Half a surrogate pair has no bytes of its own: two such texts would share a signature.
    if (!bytes || !bytesOf(public_key, 32) || !text.isWellFormed()) return false;
    const key = createPublicKey({ key: { ...curve, x: public_key }, format: 'jwk' });
    return verify(null, Buffer.from(text, 'utf8'), key, bytes);
  } catch {
    return false;
  }
}

/** Which key signed, for people and logs; it decides nothing. First 16 hex digits of SHA-256 over the raw public key. */
export function keyId(public_key: string): string {
  return createHash('sha256').update(Buffer.from(public_key, 'base64url')).digest('hex').slice(0, 16);
}

export function signDocument(payload: unknown, keyPair: KeyPair): SignedDocument {
  const text = JSON.stringify(payload);
  return { payload: text, signature: signText(text, keyPair), key_id: keyId(keyPair.public_key) };
}

/** The payload, or null when the signature, the JSON or the shape is not right. Nothing is parsed before it is verified. */
export function openDocument<T>(doc: SignedDocument, public_key: string, schema: z.ZodType<T>): T | null {
  if (!verifyText(doc.payload, doc.signature, public_key)) return null;
  try {
    return schema.parse(JSON.parse(doc.payload));
  } catch {
    return null;
  }
}
