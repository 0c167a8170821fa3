import { createHash, randomInt, randomUUID } from 'node:crypto';
import { device_code_alphabet, device_code_length } from '@porchlight/contract/codes.ts';
import { linkUri } from '@porchlight/contract/loopback.ts';
import { type KeyPair, signText } from '@porchlight/definitions/signature.ts';

/** A code such as `ABCD-EFGH` (P3.1), from 31 different characters, about 40 bits. */
export function newDeviceCode(): string {
  const randomCharacter = () => device_code_alphabet[randomInt(device_code_alphabet.length)];
  const characterGroup = () => Array.from({ length: device_code_length / 2 }, randomCharacter).join('');
  return `${characterGroup()}-${characterGroup()}`;
}

export const newNonce = () => randomUUID();

/** A device id, the same for the same account and draft. */
export function draftDevice(account: string, draft: string): string {
  const hex = createHash('sha256').update(`${account} ${draft}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface SignedLink {
  link_uri: string;
  link_uri_signature: string;
}

/** The link that hands over a device (P3.2), the same for the same code. */
export function signedLink(code: { code: string; nonce: string; expires: Date }, server: string, key: KeyPair): SignedLink {
  const link_uri = linkUri({ server, code: code.code, exp: Math.floor(code.expires.getTime() / 1000), nonce: code.nonce });
  return { link_uri, link_uri_signature: signText(link_uri, key) };
}
