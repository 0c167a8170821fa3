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

export interface AccountDeps
  extends SignInDeps,
    EmailedLinkDeps,
    EmailChangeDeps,
    ProfileDeps,
    PhoneDeps,
    Omit<PasskeyDeps, 'store'>,
    Omit<PasskeyLoginDeps, 'store'>,
    Pick<PinDeps, 'pinChanged'>,
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

  bind(app, deps.gates, passkeyEndpoints, { ...passkeyRoutes(deps), ...passkeyLoginRoutes(deps) });
}

/** The calls of authenticator apps and recovery codes have no handlers yet. */
const passkeyEndpoints = {
  'GET /web/sign-in-methods': signInEndpoints['GET /web/sign-in-methods'],
  'POST /web/passkeys/options': signInEndpoints['POST /web/passkeys/options'],
  'POST /web/passkeys': signInEndpoints['POST /web/passkeys'],
  'POST /web/passkeys/:uuid/remove': signInEndpoints['POST /web/passkeys/:uuid/remove'],
  'POST /web/passkey-question': signInEndpoints['POST /web/passkey-question'],
  'POST /login/passkey/options': signInEndpoints['POST /login/passkey/options'],
  'POST /login/passkey': signInEndpoints['POST /login/passkey'],
};
