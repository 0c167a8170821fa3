import { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Sealer } from '../../lib/seal.ts';
import { type PinParts, pinRoutes } from './admin-pin.ts';
import { type EmailChangeParts, emailChangeRoutes } from './email-change.ts';
import { type MailedLinkParts, mailedLinkRoutes } from './emailed-links.ts';
import { type PhoneParts, phoneRoutes } from './phone.ts';
import { type ProfileParts, profileRoutes } from './profile.ts';
import { sessionRoutes } from './session-routes.ts';
import { type SignInParts, signInRoutes } from './sign-in.ts';

export interface AccountParts
  extends SignInParts,
    MailedLinkParts,
    EmailChangeParts,
    ProfileParts,
    PhoneParts,
    Pick<PinParts, 'pinChanged'> {
  gates: Gates;
  sealer: Sealer;
}

export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  bind(app, parts.gates, accountEndpoints, {
    ...signInRoutes(parts),
    ...sessionRoutes(parts.sessions),
    ...mailedLinkRoutes(parts),
    ...emailChangeRoutes(parts),
    ...profileRoutes(parts),
    ...phoneRoutes(parts),
    ...pinRoutes(parts),
  });
}
