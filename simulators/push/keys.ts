import { createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';
import type { PushSubscriptionBody } from '@porchlight/contract/push.ts';
import { sameSecret } from '../same-secret.ts';

/** What a browser stores for a subscription: its P-256 pair, and the secret that it shares with the server (RFC 8291). */
export interface BrowserKeys {
  pair: ECDH;
  auth: Buffer;
}

/**
 * Subscriptions of simulated browsers. All keys are derived from one secret and the random id in the endpoint, so nothing is stored for a
 * subscription, however many are given out.
 */
export function browserKeys(secret: string) {
  const derived = (purpose: string, id: string) => createHmac('sha256', secret).update(`${purpose}:${id}`).digest();
  const proofOf = (id: string) => derived('endpoint', id).subarray(0, 12).toString('base64url');

  const keysOf = (id: string): BrowserKeys => {
    const privateKey = derived('pair', id);
    // Without its first bit every number is below the order of the curve.
    privateKey[0] = (privateKey[0] ?? 0) & 0x7f;
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey);
    return { pair, auth: derived('auth', id).subarray(0, 16) };
  };

  return {
    /** `label`: for people, such as `Bob’s phone`. */
    subscribe(origin: string, label: string): PushSubscriptionBody {
      const id = randomBytes(12).toString('base64url');
      const { pair, auth } = keysOf(id);
      return {
        endpoint: `${origin}/${id}/${proofOf(id)}/${encodeURIComponent(label)}`,
        keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
      };
    },

    /** `path`: of an endpoint. Null if no subscription was given out for it. */
    find(path: string): { id: string; label: string; keys: BrowserKeys } | null {
      const [, id, proof, label] = /^\/([\w-]{16})\/([\w-]{16})\/([^/?#]+)$/.exec(path) ?? [];
      if (!id || !proof || !label || !sameSecret(proof, proofOf(id))) return null;
      return { id, label: decodeURIComponent(label), keys: keysOf(id) };
    },
  };
}
