import { type ComponentType, type ReactNode, useMemo, useRef, useState } from 'react';
import { BrowserRouter, matchPath, Route, Routes } from 'react-router';
import { token, useAuthenticated } from '../lib/session.ts';
import { operatorSupport, SupportContext } from '../lib/support.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { GuestRoute } from './guest-route.tsx';
import { guestRoutes } from './guest-routes.tsx';
import { Layout } from './layouts.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { type Shell, ShellContext } from './shell.ts';
import type { RouteRow } from './use-route.ts';

/** Loaded on demand: guests need neither route table nor guard nor cache. */
const loadScreens = () => import('./screens.tsx');
const Screens = lazyScreen(loadScreens, 'Screens', () => token() !== null);

const base = '/dashboard';

/** Loads the code of a page, whose first render then needs no placeholder. */
export async function loadPage(pathname: string): Promise<void> {
  const isHere = ({ path }: RouteRow) => matchPath(base + path, pathname) !== null;
  const guestRow = guestRoutes.find(isHere);
  if (guestRow) return guestRow.screen.load?.();
  const [{ routes }] = await Promise.all([loadScreens(), Screens.load()]);
  return routes.find(isHere)?.screen.load?.();
}

/** `router`: another one where there is no browser. */
export function App({ router: AppRouter = BrowserRouter }: { router?: ComponentType<{ basename: string; children: ReactNode }> }) {
  const [support, setSupport] = useState(operatorSupport);
  const authenticated = useAuthenticated();
  const queryClient: Shell['queryClient'] = useRef(null);
  const shell = useMemo(() => ({ queryClient, setSupport }), []);
  return (
    <ShellContext value={shell}>
      <SupportContext value={support}>
        <AppRouter basename={base}>
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
        </AppRouter>
      </SupportContext>
    </ShellContext>
  );
}
