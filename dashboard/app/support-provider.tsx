import type { ReactNode } from 'react';
import { useOwnSupport } from '../features/accounts/own-support.ts';
import { useKnownProfile } from '../features/accounts/queries.ts';
import { useAuthenticated } from '../lib/session.ts';
import { operatorSupport, SupportContext, supportOf } from '../lib/support.ts';

/** Everything inside names the support of whoever is logged in, instead of the operator's (1.4). The guard has it asked for. */
export function SupportProvider({ children }: { children: ReactNode }) {
  const authenticated = useAuthenticated();
  const { data } = useKnownProfile();
  const own = useOwnSupport(false);
  const details = data ? data.third_party_support : own;
  return <SupportContext value={authenticated ? supportOf(details) : operatorSupport}>{children}</SupportContext>;
}
