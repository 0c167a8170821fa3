import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server.browser';
import { matchPath, StaticRouter } from 'react-router';
import { App, loadPage } from './app/app.tsx';
import { GuardianApp } from './app/guardian-app.tsx';
import { guestRoutes } from './app/guest-routes.tsx';
import { routes } from './app/routes.tsx';
import { ShareApp } from './app/share-app.tsx';

/** Entry of the build, which renders pages for guests: their HTML as it is before any answer of the server. */

export const guardianPage = (): string => renderToString(<GuardianApp id="" linkKey="" link={new URLSearchParams()} />);

export const sharePage = (): string => renderToString(<ShareApp code="" />);

/** The page of the app at this path below /dashboard. */
export async function appPage(path: string): Promise<{ html: string; title: string }> {
  await loadPage(`/dashboard${path}`);
  const title = [...guestRoutes, ...routes].find((row) => matchPath(row.path, path))?.title;
  if (!title) throw new Error(`There is no page at ${path}.`);
  const AtPath = ({ basename, children }: { basename: string; children: ReactNode }) => (
    <StaticRouter basename={basename} location={basename + path}>
      {children}
    </StaticRouter>
  );
  return { html: renderToString(<App router={AtPath} />), title };
}
