import type { CodePurpose } from './one-time-codes.ts';

export interface OneTimeCodeVector {
  /** 32 bytes as base64url. */
  secret: string;
  device: string;
  purpose: CodePurpose;
  program: string;
  window: number;
  number: number;
  code: string;
}

/** The bytes 0 to 31, and the bytes 255 down to 224. */
const [up, down] = ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8', '__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA'];
const [den, mum] = ['6f1c2a40-9d1e-4b7a-8c33-0a5b7c9d1e2f', '0b8e7c11-52d4-4f0e-9a6d-3c1f2e4d5a6b'];
/** 2026-11-20T00:00:00Z. */
const window = 2991888;

/**
 * Examples of one-time codes (P10.7). The codes were computed apart from this project, with Python's `hmac`, and again with OpenSSL:
 *
 *     printf 'porchlight-code-1\n6f1c2a40-9d1e-4b7a-8c33-0a5b7c9d1e2f\npause\n\n2991888\n0' | openssl dgst -sha256 -mac HMAC -macopt \
 *       hexkey:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
 *
 * prints 4ffc4f1d5fd8f3051d6a59…bd16. The last digit is 6, so the four bytes after the sixth count: f3051d6a without its first bit is
 * 1929715050, whose last eight digits are the code.
 */
export const oneTimeCodeVectors: readonly OneTimeCodeVector[] = [
  { secret: up, device: den, purpose: 'pause', program: '', window, number: 0, code: '29715050' },
  { secret: up, device: den, purpose: 'uninstall', program: '', window, number: 0, code: '58434255' },
  { secret: up, device: den, purpose: 'link', program: '', window, number: 0, code: '99060811' },
  // A leading zero.
  { secret: up, device: den, purpose: 'allow', program: 'anydesk', window, number: 0, code: '01310403' },
  // Another program, and one whose name is not ASCII.
  { secret: up, device: den, purpose: 'allow', program: 'teamviewer', window, number: 0, code: '77157232' },
  { secret: up, device: den, purpose: 'allow', program: 'fernwartung-für-omas', window, number: 3, code: '48769543' },
  // Another device, and another secret.
  { secret: up, device: mum, purpose: 'pause', program: '', window, number: 0, code: '56936178' },
  { secret: down, device: den, purpose: 'pause', program: '', window, number: 0, code: '38257477' },
  // The next window, and the first one.
  { secret: up, device: den, purpose: 'pause', program: '', window: window + 1, number: 0, code: '10832658' },
  { secret: up, device: den, purpose: 'pause', program: '', window: 0, number: 0, code: '31664167' },
  // The next number, and the last one.
  { secret: up, device: den, purpose: 'pause', program: '', window, number: 1, code: '29611804' },
  { secret: up, device: den, purpose: 'pause', program: '', window, number: 9, code: '31743594' },
  // Two leading zeros.
  { secret: up, device: den, purpose: 'uninstall', program: '', window: window + 5, number: 4, code: '00656607' },
];
