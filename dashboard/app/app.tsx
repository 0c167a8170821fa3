import { useMemo, useRef, useState } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { token, useAuthenticated } from '../lib/session.ts';
import { operatorSupport, SupportContext } from '../lib/support.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { GuestRoute } from './guest-route.tsx';
import { guestRoutes } from './guest-routes.tsx';
import { Layout } from './layouts.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { type Shell, ShellContext } from './shell.ts';

/** Loaded on demand: guests need neither route table nor guard nor cache. */
const Screens = lazyScreen(
  () => import('./screens.tsx'),
  'Screens',
  () => token() !== null,
);

export function App() {
  const [support, setSupport] = useState(operatorSupport);
  const authenticated = useAuthenticated();
  const queryClient: Shell['queryClient'] = useRef(null);
  const shell = useMemo(() => ({ queryClient, setSupport }), []);
  return (
    <ShellContext value={shell}>
      <SupportContext value={support}>
        <BrowserRouter basename="/dashboard">
          <Layout>
            <Routes>
              {guestRoutes
                .filter(({ access }) => access === 'guest' || !authenticated)
                .map((row) => (
                  <Route key={row.path} path={row.path} element={<GuestRoute key={row.path} row={row} onTyping={Screens.fetch} />} />
                ))}
              <Route
                path="*"
                element={
                  <ErrorBoundary>
                    <Screens />
                  </ErrorBoundary>
                }
              />
            </Routes>
          </Layout>
        </BrowserRouter>
      </SupportContext>
    </ShellContext>
  );
}
