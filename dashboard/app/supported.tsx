import type { ReactNode } from 'react';
import { useKnownProfile } from '../features/accounts/queries.ts';
import { useAuthenticated } from '../lib/session.ts';
import { operatorSupport, SupportContext, supportOf } from '../lib/support.ts';

/** Everything inside names the support of whoever is logged in, instead of the operator's (1.4). */
export function Supported({ children }: { children: ReactNode }) {
  const authenticated = useAuthenticated();
  const { data } = useKnownProfile();
  return <SupportContext value={authenticated ? supportOf(data?.third_party_support) : operatorSupport}>{children}</SupportContext>;
}
