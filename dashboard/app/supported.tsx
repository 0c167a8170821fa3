import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useOwnSupport } from '../features/accounts/own-support.ts';
import { useKnownProfile } from '../features/accounts/queries.ts';
import { useAuthenticated } from '../lib/session.ts';
import { operatorSupport, SupportContext, supportOf } from '../lib/support.ts';
import { routeAt } from './outside/place.ts';

/** Everything inside names the support of whoever is logged in, instead of the operator's (1.4), also on pages that anyone may open. */
export function Supported({ children }: { children: ReactNode }) {
  const authenticated = useAuthenticated();
  const { pathname } = useLocation();
  const { data } = useKnownProfile();
  // Where a login is needed the guard asks for the profile itself.
  const own = useOwnSupport(authenticated && !data && routeAt(pathname)?.access === 'open');
  const details = data ? data.third_party_support : own;
  return <SupportContext value={authenticated ? supportOf(details) : operatorSupport}>{children}</SupportContext>;
}
