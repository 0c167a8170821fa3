import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The keys are derived from SECRET_KEY. */
export interface Sealer {
  seal(text: string): string;
  /** Throws for a text that was sealed with another key, or changed. */
  open(sealed: string): string;
  /** HMAC-SHA256 as base64url; every `purpose` has its own key. */
  mac(purpose: string, text: string): string;
}

/** `secret`: at least 32 random characters. AES-256-GCM, keys by HKDF-SHA256. */
export function sealer(secret: string): Sealer {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'porchlight', purpose, 32));
  const sealing = keyFor('seal');
  return {
    seal(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
  };
}
