import { brand } from '@porchlight/contract/brand.ts';
import { useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useOwnSupport } from '../features/accounts/own-support.ts';
import { useProfile } from '../features/accounts/queries.ts';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { config } from '../lib/config.ts';
import { pages, paths } from '../lib/paths.ts';
import { clearReturnPath, safePath, storedReturnPath, storeReturnPath } from '../lib/return-to.ts';
import { onOtherTab, type SessionEnd, useAuthenticated } from '../lib/session.ts';
import { clearStored } from '../lib/tab-storage.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { guard } from './guard.ts';
import { Waiting } from './lazy-screen.tsx';
import type { RouteRow } from './routes.tsx';

const targets = {
  home: paths.home,
  login: paths.login,
  'verify-email': paths.verifyEmail,
  subscribe: paths.subscribe,
} as const;

/** A screen behind its guard: loads what the guard wants to know, then enters or goes elsewhere. */
export function GuardedRoute({ row }: { row: RouteRow }) {
  const authenticated = useAuthenticated();
  const location = useLocation();
  const [wasIn, setWasIn] = useState(authenticated);
  if (authenticated && !wasIn) setWasIn(true);
  const needed = authenticated && row.access === 'login';
  const profile = useProfile({ enabled: needed });
  // Who supports them is named on every page (1.4), also where nobody needs to be logged in.
  useOwnSupport(authenticated && row.access === 'open');
  const subscription = useSubscription(needed && !row.allows_unsubscribed);
  // Before the screen's own effects: it may say more than its route knows.
  useLayoutEffect(() => {
    document.title = `${row.title} · ${brand.name}`;
  }, [row.title]);
  useEffect(() => {
    if (needed) clearReturnPath();
  }, [needed]);
  useEffect(() => onOtherTab((what) => follow(what, row)), [row]);

  const decision = guard(row, {
    authenticated,
    email_check: config.features.email_check,
    profile: profile.data,
    subscription: subscription.data,
  });
  const { screen: Screen } = row;
  const likely = !('go' in decision);
  // The code comes while the guard still waits for what it wants to know.
  useEffect(() => {
    if (likely) Screen.fetch?.();
  }, [likely, Screen]);
  if ('go' in decision) {
    // After logging in one is led back to where one wanted to be; who has just logged out did not want to be anywhere.
    const from = decision.go === 'login' && !wasIn ? { from: location.pathname + location.search } : null;
    // What the dashboard was to be told of a payment is for the page in its place.
    const state = decision.go === 'subscribe' ? location.state : from;
    const back = decision.go === 'home' ? (safePath((location.state as { from?: unknown } | null)?.from) ?? storedReturnPath()) : null;
    return <Navigate to={back ?? targets[decision.go]} state={state} replace />;
  }
  // With the profile the banners come.
  const early = needed && !profile.data && !(profile.error && 'enter' in decision);
  if (early || 'load' in decision) {
    // What failed to come failed together.
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

/** What another tab did to the login counts here too. The page is loaded anew, so that nothing of the last person stays in memory. */
function follow(what: SessionEnd | 'login', row: RouteRow): void {
  if (what === 'logout') clearStored();
  if (what === 'login' || row.access !== 'login') return window.location.reload();
  if (what === 'logout') return window.location.assign(pages.login);
  storeReturnPath();
  window.location.assign(pages.expired);
}
