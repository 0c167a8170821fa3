import { useLayoutEffect } from 'react';
import { Route, Routes } from 'react-router';
import { useKnownProfile, useOwnSupport } from '../features/accounts/queries.ts';
import { HeldRequests } from '../features/holding/held-requests.tsx';
import { holderPush, recordOf } from '../integrations/push-record.ts';
import { useAuthenticated } from '../lib/session.ts';
import { operatorSupport, supportOf } from '../lib/support.ts';
import { ConfirmProvider } from '../ui/confirm-dialog.tsx';
import { optional } from '../ui/optional.tsx';
import { GuardedRoute } from './guarded-route.tsx';
import { NewDevicePoll } from './new-device-poll.tsx';
import { routes } from './routes.tsx';
import { ServerState } from './server-state.tsx';
import { useShell } from './shell.ts';

export { Banners } from './banners.tsx';
export { routes } from './routes.tsx';

const HolderPush = optional(async () => (await import('./holder-push.tsx')).HolderPush);

export function Screens() {
  return (
    <ServerState>
      <OwnSupport />
      <ConfirmProvider>
        <NewDevicePoll>
          <Routes>
            {routes.map((row) => (
              <Route key={row.path} path={row.path} element={<GuardedRoute key={row.path} row={row} />} />
            ))}
          </Routes>
        </NewDevicePoll>
        <HeldRequests />
        <PushRenewal />
      </ConfirmProvider>
    </ServerState>
  );
}

/** Where the holder gets notifications; elsewhere nothing of Web Push is loaded. */
function PushRenewal() {
  return useAuthenticated() && recordOf(holderPush()) && <HolderPush />;
}

/** Replaces the operator's support with the account's own, which the guard loads (1.4). */
function OwnSupport() {
  const { setSupport } = useShell();
  const authenticated = useAuthenticated();
  const { data } = useKnownProfile();
  const ownSupport = useOwnSupport(false);
  const details = authenticated ? (data ? data.third_party_support : ownSupport) : null;
  useLayoutEffect(() => {
    setSupport(supportOf(details));
    return () => setSupport(operatorSupport);
  }, [details, setSupport]);
  return null;
}
