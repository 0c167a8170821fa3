import { brand } from '@porchlight/contract/brand.ts';
import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the values that every authenticator app understands. */
const scheme = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Time steps before and after the server's own, because clocks differ and people type slowly (RFC 6238, 5.2). */
const window = 1;

/** Bytes, as RFC 4226 recommends. */
const secretLength = 20;

/** A random secret as base32, which people can type. */
export const newTotpSecret = (): string => new Secret({ size: secretLength }).base32;

/** `otpauth://totp/…`, which apps read from a QR code. `label`: what the app calls the account. */
export const totpUri = (secret: string, label: string): string => new TOTP({ ...scheme, issuer: brand.name, label, secret }).toString();

/** The time step of a code of six digits; null for a wrong one, and for one of another time. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  // The library compares bytes, and throws for six characters of more bytes.
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const distance = TOTP.validate({ ...scheme, secret: Secret.fromBase32(secret), token: code, timestamp, window });
  return distance === null ? null : TOTP.counter({ ...scheme, timestamp }) + distance;
}
