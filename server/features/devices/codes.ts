import { createHash, randomInt, randomUUID } from 'node:crypto';
import { linkUri } from '@porchlight/contract/loopback.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type KeyPair, signText } from '@porchlight/definitions/signature.ts';

/** A new code of the form `ABCD-EFGH` (P3.1): 31 letters and digits, about 40 bits. */
export function newDeviceCode(): string {
  const pick = () => serverLimits.device_code_alphabet[randomInt(serverLimits.device_code_alphabet.length)];
  const group = () => Array.from({ length: serverLimits.device_code_length / 2 }, pick).join('');
  return `${group()}-${group()}`;
}

export const newNonce = () => randomUUID();

/** The device that a draft of an account becomes: the same id each time, and for another account another one. */
export function draftDevice(account: string, draft: string): string {
  const hex = createHash('sha256').update(`${account} ${draft}`).digest('hex');
  // An id of version 8: made by a rule of one's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface SignedLink {
  link_uri: string;
  link_uri_signature: string;
}

/** The link that hands a device over (P3.2): the same code always gives the same bytes and so the same signature. */
export function signedLink(code: { code: string; nonce: string; expires: Date }, server: string, key: KeyPair): SignedLink {
  const link_uri = linkUri({ server, code: code.code, exp: Math.floor(code.expires.getTime() / 1000), nonce: code.nonce });
  return { link_uri, link_uri_signature: signText(link_uri, key) };
}
