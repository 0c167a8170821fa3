import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import type { z } from 'zod';

/** An Ed25519 key pair: 32 raw bytes each as base64url (`x` and `d` of a JWK). */
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

/** Signs the UTF-8 bytes of `text`; returns base64url. */
export function signText(text: string, keyPair: KeyPair): string {
  const key = createPrivateKey({ key: { ...curve, x: keyPair.public_key, d: keyPair.private_key }, format: 'jwk' });
  return sign(null, Buffer.from(text, 'utf8'), key).toString('base64url');
}

/** Accepts only canonical base64url: its end has spare bits, and a changed signature must not be valid. */
function bytesOf(encoded: string, length: number): Buffer | null {
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === encoded ? bytes : null;
}

export function verifyText(text: string, signature: string, public_key: string): boolean {
  try {
    const bytes = bytesOf(signature, 64);
    // An unpaired surrogate has no UTF-8 encoding: two such texts would share a signature.
    if (!bytes || !bytesOf(public_key, 32) || !text.isWellFormed()) return false;
    const key = createPublicKey({ key: { ...curve, x: public_key }, format: 'jwk' });
    return verify(null, Buffer.from(text, 'utf8'), key, bytes);
  } catch {
    return false;
  }
}

/** A key's name for people and logs, not for security decisions: the first 16 hex digits of its SHA-256. */
export function keyId(public_key: string): string {
  return createHash('sha256').update(Buffer.from(public_key, 'base64url')).digest('hex').slice(0, 16);
}

export function signDocument(payload: unknown, keyPair: KeyPair): SignedDocument {
  const text = JSON.stringify(payload);
  return { payload: text, signature: signText(text, keyPair), key_id: keyId(keyPair.public_key) };
}

/** Verifies a document, then parses it. Null for a wrong signature, JSON or shape. */
export function openDocument<T>(doc: SignedDocument, public_key: string, schema: z.ZodType<T>): T | null {
  if (!verifyText(doc.payload, doc.signature, public_key)) return null;
  try {
    return schema.parse(JSON.parse(doc.payload));
  } catch {
    return null;
  }
}
