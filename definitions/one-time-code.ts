import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CodeSubject, codeMessage, oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';

/** RFC 4226, section 5.3: the 31 bits of the HMAC that its last digit points to. */
export function truncatedMac(mac: Buffer): number {
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return mac.readUInt32BE(offset) & 0x7fff_ffff;
}

/** HMAC-SHA-256 truncated to eight digits as in RFC 4226, section 5.3. `secret`: base64url. `window`: see `windowOf`. */
export function oneTimeCode(secret: string, subject: CodeSubject, window: number, number: number): string {
  const mac = createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(codeMessage(subject, window, number), 'utf8')
    .digest();
  return String(truncatedMac(mac) % 10 ** oneTimeCodes.digits).padStart(oneTimeCodes.digits, '0');
}

/** The window and the running number of a typed code; null if it is no code of these windows. All candidates are compared. */
export function findOneTimeCode(
  secret: string,
  subject: CodeSubject,
  typed: string,
  windows: readonly number[],
): { window: number; number: number } | null {
  let found: { window: number; number: number } | null = null;
  const typedBytes = Buffer.from(typed);
  for (const window of windows) {
    for (let number = 0; number < oneTimeCodes.per_window; number++) {
      const candidate = Buffer.from(oneTimeCode(secret, subject, window, number));
      if (candidate.length === typedBytes.length && timingSafeEqual(candidate, typedBytes)) found ??= { window, number };
    }
  }
  return found;
}
