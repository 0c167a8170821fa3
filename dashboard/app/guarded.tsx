import { brand } from '@porchlight/contract/brand.ts';
import { Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useProfile } from '../features/accounts/queries.ts';
import { readSetup } from '../features/devices/add/draft.ts';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { useAuthenticated } from '../lib/session.ts';
import { Loading } from '../ui/loading.tsx';
import { guard } from './guard.ts';
import type { RouteRow } from './routes.tsx';

const targets = {
  home: paths.home,
  login: paths.login,
  'verify-email': paths.verifyEmail,
  subscribe: paths.subscribe,
  'setup-policy': paths.addDevice('policy'),
} as const;

/** A screen behind its guard: loads what the guard wants to know, then enters or goes elsewhere. */
export function Guarded({ row }: { row: RouteRow }) {
  const authenticated = useAuthenticated();
  const location = useLocation();
  const needed = authenticated && row.access === 'login';
  const profile = useProfile({ enabled: needed });
  const subscription = useSubscription(needed);
  useEffect(() => {
    document.title = `${row.title} · ${brand.name}`;
  }, [row.title]);

  const decision = guard(row, {
    authenticated,
    email_check: config.features.email_check,
    profile: profile.data,
    subscription: subscription.data,
    has_setup_policy: readSetup().draft !== undefined,
  });
  if ('go' in decision) {
    const from = decision.go === 'login' ? { from: location.pathname + location.search } : null;
    return <Navigate to={targets[decision.go]} state={from} replace />;
  }
  if ('load' in decision) return <Waiting of={decision.load === 'profile' ? profile : subscription} />;
  const { screen: Screen } = row;
  return (
    <Suspense fallback={<Waiting of={{ data: undefined, error: null }} />}>
      <Screen />
    </Suspense>
  );
}

function Waiting({ of }: { of: { data: unknown; error: unknown } }) {
  return (
    <div className="wrap">
      <Loading of={of} height={400}>
        {() => null}
      </Loading>
    </div>
  );
}
