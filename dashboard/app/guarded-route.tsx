import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useOwnSupport, useProfile } from '../features/accounts/queries.ts';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { clearReturnPath } from '../lib/return-to.ts';
import { useAuthenticated } from '../lib/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { guard } from './guard.ts';
import { Waiting } from './lazy-screen.tsx';
import { type RouteRow, useRoute } from './use-route.ts';

const targets = {
  home: paths.home,
  login: paths.login,
  'verify-email': paths.verifyEmail,
  subscribe: paths.subscribe,
} as const;

export function GuardedRoute({ row }: { row: RouteRow }) {
  const authenticated = useAuthenticated();
  const location = useLocation();
  const [wasIn, setWasIn] = useState(authenticated);
  if (authenticated && !wasIn) setWasIn(true);
  const needed = authenticated && row.access === 'login';
  const profile = useProfile({ enabled: needed });
  // Every page names who supports the account (1.4), also pages that need no login.
  useOwnSupport(authenticated && row.access === 'open');
  const subscription = useSubscription(needed && !row.allows_unsubscribed);
  useEffect(() => {
    if (needed) clearReturnPath();
  }, [needed]);
  useRoute(row);

  const decision = guard(row, {
    authenticated,
    email_check: config.features.email_check,
    profile: profile.data,
    subscription: subscription.data,
  });
  const { screen: Screen } = row;
  const likely = !('go' in decision);
  useEffect(() => {
    if (likely) Screen.fetch?.();
  }, [likely, Screen]);
  if ('go' in decision) {
    // After a login the user returns here, unless they have just logged out.
    const returnState = decision.go === 'login' && !wasIn ? { from: location.pathname + location.search } : null;
    const state = decision.go === 'subscribe' ? location.state : returnState;
    return <Navigate to={targets[decision.go]} state={state} replace />;
  }
  const early = needed && !profile.data && !(profile.error && 'enter' in decision);
  if (early || 'load' in decision) {
    const refetch = () => {
      void profile.refetch();
      void subscription.refetch();
    };
    const waited = { data: undefined, error: profile.data ? subscription.error : (profile.error ?? subscription.error), refetch };
    return <Waiting of={waited} heading={row.title} unpainted={early} />;
  }
  return (
    <ErrorBoundary>
      <Screen />
    </ErrorBoundary>
  );
}
