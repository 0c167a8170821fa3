import { createDecipheriv, hkdfSync } from 'node:crypto';
import type { BrowserKeys } from './keys.ts';

/** Bytes of the header of RFC 8188 before the key id, and of an uncompressed point of P-256. */
const headerLength = 21;
const pointLength = 65;
const tagLength = 16;

const derive = (ikm: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', ikm, salt, info, length));

/**
 * Decrypts a push message as a browser does (RFC 8291 with `aes128gcm` of RFC 8188, one record). Independent of the library that the server
 * encrypts with, so that each checks the other. Throws for anything else.
 */
export function decryptPush(body: Buffer, { pair, auth }: BrowserKeys): Buffer {
  const [salt, recordSize, idLength] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
  if (idLength !== pointLength) throw new Error('the key id is not a public key of P-256');
  const senderKey = body.subarray(headerLength, headerLength + pointLength);
  const record = body.subarray(headerLength + pointLength);
  if (record.length > recordSize || record.length <= tagLength) throw new Error('the message is not one record');

  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
  const ikm = derive(pair.computeSecret(senderKey), auth, keyInfo, 32);
  const key = derive(ikm, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(ikm, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-tagLength));
  return withoutPadding(Buffer.concat([decipher.update(record.subarray(0, -tagLength)), decipher.final()]));
}

/** The last record ends with the delimiter 2 and any number of zeros. */
function withoutPadding(padded: Buffer): Buffer {
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the delimiter of the last record is missing');
  return padded.subarray(0, end);
}
