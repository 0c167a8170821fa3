import { createHmac } from 'node:crypto';
import { supportEndpoints } from '@porchlight/contract/support.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import type { Gates } from '../../lib/gates.ts';

export interface SupportParts {
  gates: Gates;
  personOf(account: string): Promise<{ name: string; email: string }>;
  /** The key that the chat and we share; null without a chat. */
  identity_key: string | null;
}

export function supportRoutes(app: FastifyInstance, { gates, personOf, identity_key }: SupportParts): void {
  bind(app, gates, supportEndpoints, {
    'GET /web/support': async ({ account }) => {
      const { name, email } = await personOf(account);
      return { name, email, hash: identity_key && identityHash(identity_key, email) };
    },
  });
}

/** Proves to the chat that it is we who say who this is: HMAC-SHA256 of the email, hexadecimal (3.17). */
function identityHash(key: string, email: string): string {
  return createHmac('sha256', key).update(email).digest('hex');
}
