import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

/** `id`: as in the policy. `secret`: base64url. */
export interface StoredCodeSecret {
  device: string;
  id: string;
  secret: string;
}

export const sealedSecret = z.object({ device: uuid, id: uuid, sealed: z.string() });
type SealedSecret = z.infer<typeof sealedSecret>;

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key derived from the key of the checksums: a copy of the one file alone shows no code. */
export function sealedSecrets(stateKey: Uint8Array) {
  const key = Buffer.from(hkdfSync('sha256', stateKey, 'porchlight-agent', 'code-secret', 32));
  return {
    seal({ device, id, secret }: StoredCodeSecret): SealedSecret {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${device} ${id}`));
      const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { device, id, sealed: Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url') };
    },
    /** Null for null, and for what was sealed with another key. */
    open(stored: SealedSecret | null): StoredCodeSecret | null {
      if (!stored) return null;
      const { device, id } = stored;
      const bytes = Buffer.from(stored.sealed, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(`${device} ${id}`));
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return { device, id, secret: decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8') };
      } catch {
        return null;
      }
    },
  };
}
