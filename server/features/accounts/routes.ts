import { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { signInEndpoints } from '@porchlight/contract/sign-in-methods.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Sealer } from '../../lib/seal.ts';
import { type PinDeps, pinRoutes } from './admin-pin.ts';
import { type EmailChangeDeps, emailChangeRoutes } from './email-change.ts';
import { type EmailedLinkDeps, emailedLinkRoutes } from './emailed-links.ts';
import { type PhoneDeps, phoneRoutes } from './phone.ts';
import { type ProfileDeps, profileRoutes } from './profile.ts';
import { type SessionRouteDeps, sessionRoutes } from './session-routes.ts';
import { type SignInDeps, signInRoutes } from './sign-in.ts';
import { type PasskeyLoginDeps, passkeyLoginRoutes } from './sign-in-methods/passkey-login.ts';
import { type PasskeyDeps, passkeyRoutes } from './sign-in-methods/passkey-routes.ts';
import { type SecondStepRouteDeps, secondStepRoutes } from './sign-in-methods/second-step-routes.ts';

export interface AccountDeps
  extends SignInDeps,
    EmailedLinkDeps,
    EmailChangeDeps,
    ProfileDeps,
    PhoneDeps,
    Omit<PasskeyDeps, 'store'>,
    Omit<PasskeyLoginDeps, 'store'>,
    Pick<PinDeps, 'pinChanged'>,
    SecondStepRouteDeps,
    Pick<SessionRouteDeps, 'endPush'> {
  gates: Gates;
  sealer: Sealer;
}

export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  bind(app, deps.gates, accountEndpoints, {
    ...signInRoutes(deps),
    ...sessionRoutes(deps),
    ...emailedLinkRoutes(deps),
    ...emailChangeRoutes(deps),
    ...profileRoutes(deps),
    ...phoneRoutes(deps),
    ...pinRoutes(deps),
  });
  bind(app, deps.gates, signInEndpoints, { ...passkeyRoutes(deps), ...passkeyLoginRoutes(deps), ...secondStepRoutes(deps) });
}
