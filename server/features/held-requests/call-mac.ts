import type { CallContent } from '../../http/weakening-call.ts';
import type { Sealer } from '../../secrets/seal.ts';

/** Proofs of who calls are not part of what the call does. */
export const proofs = new Set(['current_password', 'passkey', 'password', 'code']);

/** A keyed hash of a call's content, so that the table of requests reveals neither names nor numbers (P10.1). */
export function callMac(sealer: Pick<Sealer, 'mac'>, account: string, { endpoint, params, body }: Omit<CallContent, 'path'>): Buffer {
  return Buffer.from(sealer.mac('held-request', JSON.stringify([account, endpoint, inOrder(params), inOrder(body)])), 'base64url');
}

/** The same content with the same order of keys. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value)
    .filter(([name, one]) => one !== undefined && !proofs.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, one]) => [name, inOrder(one)]);
}
