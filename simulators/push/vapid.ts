import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string().regex(/^(mailto:.+@.+|https:\/\/.+)$/) });

const day_s = 24 * 3600;

/** Why a push service refuses the `Authorization` header of a message (RFC 8292); null if nothing is wrong. `origin`: of the endpoint. */
export function vapidError(authorization: string | undefined, origin: string, now: Date): string | null {
  const [, header, payload, signature, publicKey] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  if (!header || !payload || !signature || !publicKey) return 'no vapid authorization';
  if (!isSigned(`${header}.${payload}`, signature, publicKey)) return 'the signature is not by the key';
  const { alg } = jsonIn(header) as { alg?: unknown };
  const { data } = claims.safeParse(jsonIn(payload));
  const seconds = now.getTime() / 1000;
  if (alg !== 'ES256' || !data) return 'a claim is missing';
  if (data.aud !== origin) return 'the audience is another service';
  if (data.exp <= seconds || data.exp > seconds + day_s) return 'the token is not valid now, or for more than a day';
  return null;
}

/** ES256: P-256, SHA-256, and a signature of two numbers of 32 bytes. */
function isSigned(text: string, signature: string, publicKey: string): boolean {
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
}

function jsonIn(part: string): object {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? value : {};
}
