import type { ReactNode } from 'react';
import { useProfile } from '../features/accounts/queries.ts';
import { useAuthenticated } from '../lib/session.ts';
import { operatorSupport, SupportContext, supportOf } from '../lib/support.ts';
import { useNeedsLogin } from './route-at.ts';

/** Everything inside names the support of whoever is logged in, instead of the operator's (1.4). */
export function Supported({ children }: { children: ReactNode }) {
  const authenticated = useAuthenticated();
  const inside = useNeedsLogin();
  const { data } = useProfile({ enabled: authenticated && inside });
  return <SupportContext value={authenticated ? supportOf(data?.third_party_support) : operatorSupport}>{children}</SupportContext>;
}
