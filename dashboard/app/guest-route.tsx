import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths } from '../lib/paths.ts';
import { safePath, storedReturnPath } from '../lib/return-to.ts';
import { useAuthenticated } from '../lib/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { guard } from './guard.ts';
import { type RouteRow, useRoute } from './use-route.ts';

interface GuestRouteProps {
  row: RouteRow;
  /** A guest who fills in the form will soon need the screens behind it. */
  onTyping: () => void;
}

export function GuestRoute({ row, onTyping }: GuestRouteProps) {
  const authenticated = useAuthenticated();
  const { state } = useLocation();
  useRoute(row);
  useEffect(() => {
    document.addEventListener('input', onTyping, { once: true });
    return () => document.removeEventListener('input', onTyping);
  }, [onTyping]);
  const decision = guard(row, { authenticated, email_check: false, profile: undefined, subscription: undefined });
  if ('go' in decision) {
    const back = safePath((state as { from?: unknown } | null)?.from) ?? storedReturnPath();
    return <Navigate to={back ?? paths.home} replace />;
  }
  return (
    <ErrorBoundary>
      <row.screen />
    </ErrorBoundary>
  );
}
