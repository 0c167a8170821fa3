import { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { signInEndpoints } from '@porchlight/contract/sign-in-methods.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Gates } from '../../http/gates.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { pinRoutes } from './admin-pin.ts';
import { type EmailChangeDeps, emailChangeRoutes } from './email-change.ts';
import { type EmailedLinkDeps, emailedLinkRoutes } from './emailed-links.ts';
import { type PhoneDeps, phoneRoutes } from './phone.ts';
import { type ProfileDeps, profileRoutes } from './profile.ts';
import { type SessionRouteDeps, sessionRoutes } from './session-routes.ts';
import { type SignInDeps, signInRoutes } from './sign-in.ts';
import { type AddedMethodRemovalDeps, addedMethodRemoval } from './sign-in-methods/added-method-removal.ts';
import { type AddedMethodDeps, addedMethodReports, additionLimit } from './sign-in-methods/added-methods.ts';
import { type PasskeyLoginDeps, passkeyLoginRoutes } from './sign-in-methods/passkey-login.ts';
import { type PasskeyDeps, passkeyRoutes } from './sign-in-methods/passkey-routes.ts';
import { type SecondStepRouteDeps, secondStepRoutes } from './sign-in-methods/second-step-routes.ts';

/** What is made here, from the other parts. */
type Additions = 'limitAdditions' | 'reportAdded';

export interface AccountDeps
  extends SignInDeps,
    EmailedLinkDeps,
    EmailChangeDeps,
    ProfileDeps,
    PhoneDeps,
    Omit<PasskeyDeps, 'store' | Additions>,
    Omit<PasskeyLoginDeps, 'store'>,
    Omit<SecondStepRouteDeps, Additions>,
    AddedMethodRemovalDeps,
    Pick<AddedMethodDeps, 'zoneOf'>,
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
  const adding = { ...deps, limitAdditions: additionLimit(deps.limit), reportAdded: addedMethodReports(deps) };
  bind(app, deps.gates, signInEndpoints, {
    ...passkeyRoutes(adding),
    ...passkeyLoginRoutes(deps),
    ...secondStepRoutes(adding),
    ...addedMethodRemoval(deps),
  });
}
