import { createHmac } from 'node:crypto';
import { supportEndpoints } from '@porchlight/contract/support.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Gates } from '../../http/gates.ts';

export interface SupportDeps {
  gates: Gates;
  personOf(account: string): Promise<{ name: string; email: string; email_verified: boolean }>;
  /** The secret key shared with the support chat; null without a chat. */
  identity_key: string | null;
}

export function supportRoutes(app: FastifyInstance, { gates, personOf, identity_key }: SupportDeps): void {
  bind(app, gates, supportEndpoints, {
    'GET /web/support': async ({ account }) => {
      const { name, email, email_verified } = await personOf(account);
      // An unconfirmed address may be another person's, whose conversations the chat would show.
      return { name, email, hash: identity_key && email_verified ? identityHash(identity_key, email) : null };
    },
  });
}

/** Proves the user's identity to the chat: HMAC-SHA256 of the email, hexadecimal (3.17). */
function identityHash(key: string, email: string): string {
  return createHmac('sha256', key).update(email).digest('hex');
}
