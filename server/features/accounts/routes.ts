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
import { type SecondStepRouteDeps, secondStepRoutes } from './sign-in-methods/second-step-routes.ts';

export interface AccountDeps
  extends SignInDeps,
    EmailedLinkDeps,
    EmailChangeDeps,
    ProfileDeps,
    PhoneDeps,
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
  const {
    'POST /web/authenticator/begin': begin,
    'POST /web/authenticator': setUp,
    'POST /web/authenticator/remove': remove,
    'POST /web/recovery-codes': renew,
  } = signInEndpoints;
  const secondStepEndpoints = {
    'POST /web/authenticator/begin': begin,
    'POST /web/authenticator': setUp,
    'POST /web/authenticator/remove': remove,
    'POST /web/recovery-codes': renew,
  };
  bind(app, deps.gates, secondStepEndpoints, secondStepRoutes(deps));
}
